import { useState } from "react";
import { useClient } from "../../server/server.js";
import { useLoaded } from "../../server/use-loaded.js";
import { useText } from "../../text/texts.js";
import { Loading } from "../loading.js";
import { Problem } from "../problem.js";
import { byFolder, nameIn, sizeText } from "./kinds.js";
import { Preview } from "./preview.js";

/** Files of a folder that are shown at first. */
const MOST = 300;

/** What a run left: its records, its answers, and what the agents made. `stage` changes when there may be more. */
export function Files({ id, stage }: { readonly id: string; readonly stage: string }) {
  const t = useText();
  const client = useClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const [filter, setFilter] = useState("");
  const { loaded, again } = useLoaded((signal) => client.artefacts(id, signal), [client, id, stage]);
  if (loaded.is === "failed") return <Problem error={loaded.error} retry={again} />;
  if (loaded.value === null) return <Loading />;
  const { artefacts, truncated } = loaded.value;
  const fitting = artefacts.filter(({ path }) => path.toLowerCase().includes(filter.toLowerCase()));
  const file = artefacts.find(({ path }) => path === chosen) ?? null;
  return (
    <div className="files">
      <div>
        <label className="hidden" htmlFor="file-filter">
          {t("files.filter")}
        </label>
        <input
          id="file-filter"
          type="search"
          placeholder={t("files.filter")}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <button type="button" className="quiet" onClick={again}>
          {t("files.again")}
        </button>
        {fitting.length === 0 ? <p className="faint">{t("files.none")}</p> : null}
        {byFolder(fitting.slice(0, MOST)).map(({ folder, files }) => (
          <section key={folder} aria-label={folder === "" ? t("files.top") : folder}>
            <h3>{folder === "" ? t("files.top") : folder}</h3>
            <ul>
              {files.map(({ path, bytes }) => (
                <li key={path}>
                  <button type="button" className="link" aria-pressed={path === chosen} onClick={() => setChosen(path)}>
                    {nameIn(path)}
                  </button>{" "}
                  <span className="facts">{sizeText(bytes)}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {truncated || fitting.length > MOST ? <p className="warning">{t("files.more", { count: MOST })}</p> : null}
      </div>
      {file === null ? (
        <p className="faint">{t("files.choose")}</p>
      ) : (
        <Preview key={file.path} run={id} path={file.path} bytes={file.bytes} />
      )}
    </div>
  );
}
