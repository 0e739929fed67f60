import type { FolderListing } from "@massgen/client";
import { useState } from "react";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";
import type { ContextPath } from "./context-paths.js";
import { Loading } from "./loading.js";
import { Problem } from "./problem.js";

interface Props {
  readonly chosen: readonly ContextPath[];
  readonly change: (chosen: readonly ContextPath[]) => void;
}

/** Which files and folders of the server's machine the agents may work on. */
export function ContextFolders({ chosen, change }: Props) {
  const t = useText();
  const add = (path: string): void => {
    if (!chosen.some((one) => one.path === path)) change([...chosen, { path, permission: "read" }]);
  };
  return (
    <>
      <ul className="context-paths">
        {chosen.map(({ path, permission = "read" }) => (
          <li key={path}>
            <code dir="ltr">{path}</code>
            <select
              aria-label={t("folders.may", { path })}
              value={permission}
              onChange={({ target }) =>
                change(chosen.map((one) => (one.path === path ? { path, permission: target.value === "write" ? "write" : "read" } : one)))
              }
            >
              <option value="read">{t("folders.read")}</option>
              <option value="write">{t("folders.write")}</option>
            </select>
            <button type="button" className="quiet" onClick={() => change(chosen.filter((one) => one.path !== path))}>
              {t("folders.remove", { path })}
            </button>
          </li>
        ))}
      </ul>
      <Chooser add={add} isChosen={(path) => chosen.some((one) => one.path === path)} />
    </>
  );
}

interface ChooserProps {
  readonly add: (path: string) => void;
  readonly isChosen: (path: string) => boolean;
}

/** Goes through folders as a file manager does; a path may be typed, too. */
function Chooser({ add, isChosen }: ChooserProps) {
  const t = useText();
  const client = useClient();
  const [place, setPlace] = useState<string | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const { loaded, again } = useLoaded((signal) => client.folder(place, signal), [client, place]);
  const go = (): void => {
    if (typed.trim() !== "") setPlace(typed.trim());
  };
  return (
    <section className="chooser" aria-label={t("folders.choose")}>
      <div className="actions">
        <label htmlFor="folder-path">{t("folders.path")}</label>
        <input
          id="folder-path"
          value={typed}
          spellCheck={false}
          placeholder={loaded.value?.path ?? ""}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // It stands within the form of the question, which is not asked by this.
            event.preventDefault();
            go();
          }}
        />
        <button type="button" disabled={typed.trim() === ""} onClick={go}>
          {t("folders.go")}
        </button>
      </div>
      {loaded.is === "failed" ? <Problem error={loaded.error} retry={again} /> : null}
      {loaded.value === null ? (
        loaded.is === "loading" ? (
          <Loading />
        ) : null
      ) : (
        <Listing listing={loaded.value} {...{ add, isChosen, setPlace }} />
      )}
    </section>
  );
}

interface ListingProps extends ChooserProps {
  readonly listing: FolderListing;
  readonly setPlace: (path: string) => void;
}

function Listing({ listing: { path, parent, entries, truncated }, add, isChosen, setPlace }: ListingProps) {
  const t = useText();
  return (
    <>
      <p className="actions">
        <code dir="ltr">{path}</code>
        <button type="button" className="primary" disabled={isChosen(path)} onClick={() => add(path)}>
          {t("folders.addThis")}
        </button>
        {parent === null ? null : (
          <button type="button" onClick={() => setPlace(parent)}>
            {t("folders.up")}
          </button>
        )}
      </p>
      <ul className="entries">
        {entries.map(({ name, path: entry, isFolder }) => (
          <li key={entry}>
            {isFolder ? (
              <button type="button" className="link" aria-label={t("folders.open", { name })} onClick={() => setPlace(entry)}>
                {name}/
              </button>
            ) : (
              <span>{name}</span>
            )}{" "}
            <button
              type="button"
              className="quiet"
              aria-label={t("folders.addOne", { name })}
              disabled={isChosen(entry)}
              onClick={() => add(entry)}
            >
              {t("folders.add")}
            </button>
          </li>
        ))}
      </ul>
      {truncated ? <p className="warning">{t("folders.more")}</p> : null}
    </>
  );
}
