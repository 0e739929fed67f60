import type { SetupState } from "@massgen/client";
import { useState } from "react";
import { useTitle } from "../app/use-title.js";
import { Loading } from "../parts/loading.js";
import { Problem } from "../parts/problem.js";
import { Keys } from "../parts/setup/keys.js";
import { TeamBuilder } from "../parts/setup/team-builder.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";

/** From nothing to a team: keys, who takes part, the file that is written, and the first question. */
export function Setup() {
  const t = useText();
  useTitle(t("setup"));
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.setup(signal), [client]);
  const [isSaved, setIsSaved] = useState(false);
  if (loaded.is === "failed") return <Problem error={loaded.error} retry={again} />;
  if (loaded.value === null) return <Loading />;
  const state: SetupState = loaded.value;
  return (
    <>
      <h1>{t("setup")}</h1>
      <p>{state.problem === null || isSaved ? t("setup.ready") : t("setup.why")}</p>
      <Keys state={state} stored={again} />
      <TeamBuilder state={state} saved={() => setIsSaved(true)} />
    </>
  );
}
