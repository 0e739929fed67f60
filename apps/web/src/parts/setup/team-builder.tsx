import type { SetupState } from "@massgen/client";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useSay } from "../../app/notices.js";
import { useClient } from "../../server/server.js";
import { useText } from "../../text/texts.js";
import { errorText } from "../problem.js";
import { addMember, firstTeam, type Member, providersFor, removeMember, startModel } from "./members.js";
import { YamlEditor } from "./yaml-editor.js";

/** Who takes part: a form beside the file it writes. Once the text is changed by hand, the text counts and the form rests. */
export function TeamBuilder({ state, saved }: { readonly state: SetupState; readonly saved: () => void }) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const [members, setMembers] = useState<readonly Member[]>(() => firstTeam(state.providers));
  const [files, setFiles] = useState<"none" | "own" | "read" | "write">("none");
  const [text, setText] = useState("");
  /** What the form wrote last. */
  const [drafted, setDrafted] = useState("");
  const isHandMade = text !== drafted;
  const [name, setName] = useState("config");
  const [problem, setProblem] = useState<string | null>(null);
  const [written, setWritten] = useState<{ readonly path: string; readonly model: string } | null>(null);
  const choices = providersFor(state.providers);

  useEffect(() => {
    let isWanted = true;
    client.draftConfig({ agents: members.map(({ id, type, model }) => ({ id, type, model })), files }).then(
      (next) => {
        if (!isWanted) return;
        setDrafted(next);
        setText(next);
        setProblem(null);
      },
      (error: unknown) => {
        if (isWanted) setProblem(errorText(error));
      },
    );
    return () => {
      isWanted = false;
    };
  }, [client, members, files]);

  const change = (place: number, part: Partial<Member>): void =>
    setMembers(members.map((member, index) => (index === place ? { ...member, ...part } : member)));
  const save = async (replace: boolean): Promise<void> => {
    try {
      setWritten(await client.saveConfig({ name, text, replace }));
      setProblem(null);
      saved();
    } catch (error) {
      const isThere = typeof error === "object" && error !== null && "status" in error && error.status === 409;
      if (isThere && globalThis.confirm(t("team.replace", { name }))) return save(true);
      setProblem(errorText(error));
      say(errorText(error), "bad");
    }
  };
  return (
    <section className="card" aria-labelledby="team-title">
      <h2 id="team-title">{t("team.title")}</h2>
      <div className="builder">
        <div>
          {isHandMade ? (
            <p className="warning" role="status">
              {t("team.byHand")}{" "}
              <button type="button" onClick={() => setText(drafted)}>
                {t("team.undo")}
              </button>
            </p>
          ) : null}
          {members.map((member, place) => (
            <fieldset key={member.id} disabled={isHandMade}>
              <legend>{member.id}</legend>
              <label>
                {t("team.provider")}
                <select
                  value={member.type}
                  onChange={({ target }) => change(place, { type: target.value, model: startModel(state.providers, target.value) })}
                >
                  {choices.map(({ type, name: provider, key }) => (
                    <option key={type} value={type}>
                      {provider}
                      {key === "missing" ? ` (${t("keys.missing")})` : ""}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                {t("team.model")}
                <input
                  value={member.model}
                  list={`models-${member.id}`}
                  spellCheck={false}
                  onChange={({ target }) => change(place, { model: target.value })}
                />
              </label>
              <datalist id={`models-${member.id}`}>
                {(choices.find(({ type }) => type === member.type)?.models ?? []).map((model) => (
                  <option key={model} value={model} />
                ))}
              </datalist>
              {members.length > 1 ? (
                <button type="button" className="quiet" onClick={() => setMembers(removeMember(members, place))}>
                  {t("team.remove", { id: member.id })}
                </button>
              ) : null}
            </fieldset>
          ))}
          <div className="actions">
            <button
              type="button"
              disabled={members.length >= 5 || isHandMade}
              onClick={() => setMembers(addMember(members, state.providers))}
            >
              {t("team.add")}
            </button>
            <label>
              {t("team.files")}{" "}
              <select
                value={files}
                disabled={isHandMade}
                onChange={({ target }) => setFiles(FILES.find((one) => one === target.value) ?? "none")}
              >
                {FILES.map((one) => (
                  <option key={one} value={one}>
                    {t(`team.files.${one}`)}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </div>
        <YamlEditor text={text} change={setText} />
      </div>
      <div className="actions">
        <label>
          {t("team.name")} <input value={name} spellCheck={false} onChange={({ target }) => setName(target.value)} />
        </label>
        <button type="button" className="primary" disabled={text === ""} onClick={() => void save(false)}>
          {t("team.save")}
        </button>
      </div>
      {problem === null ? null : (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {written === null ? null : (
        <p role="status">
          {t("team.saved", { path: written.path })} <Link href={`/ask/${encodeURIComponent(written.model)}`}>{t("team.ask")}</Link>
        </p>
      )}
    </section>
  );
}

const FILES = ["none", "own", "read", "write"] as const;
