import { useState } from "react";
import { useTitle } from "../app/use-title.js";
import { Loading } from "../parts/loading.js";
import { Problem } from "../parts/problem.js";
import { RunList } from "../parts/run-list.js";
import { CompareBar, useTicks } from "../parts/ticks.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";

const PAGE = 50;

/** Every run there is, newest first. */
export function Runs() {
  const t = useText();
  useTitle(t("runs"));
  const client = useClient();
  const ticks = useTicks();
  const [limit, setLimit] = useState(PAGE);
  const { loaded, again } = useLoaded((signal) => client.listRuns({ limit }, signal), [client, limit]);
  return (
    <>
      <h1>{t("runs")}</h1>
      {loaded.is === "failed" ? <Problem error={loaded.error} retry={again} /> : null}
      {loaded.value === null ? loaded.is === "loading" ? <Loading /> : null : <RunList runs={loaded.value.runs} ticks={ticks} />}
      {loaded.value !== null && loaded.value.runs.length < loaded.value.total && limit < 200 ? (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          {t("runs.more")}
        </button>
      ) : null}
      {loaded.value === null || loaded.value.runs.length < 2 ? null : <CompareBar chosen={ticks.chosen} />}
    </>
  );
}
