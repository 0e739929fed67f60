import { Ask } from "../parts/ask.js";
import { Problem } from "../parts/problem.js";
import { RunList } from "../parts/run-list.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";

const RECENT = 8;

/** Ask something, or go back to what was asked. */
export function Home({ team }: { readonly team?: string }) {
  const t = useText();
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.listRuns({ limit: RECENT }, signal), [client]);
  return (
    <>
      <Ask {...(team === undefined ? {} : { team })} />
      <section aria-labelledby="recent-title">
        <h2 id="recent-title">{t("runs.recent")}</h2>
        {loaded.is === "failed" ? <Problem error={loaded.error} retry={again} /> : null}
        {loaded.value === null ? null : <RunList runs={loaded.value.runs} />}
      </section>
    </>
  );
}
