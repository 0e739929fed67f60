import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useSay } from "../app/notices.js";
import { useTitle } from "../app/use-title.js";
import { Loading } from "../parts/loading.js";
import { errorText, Problem } from "../parts/problem.js";
import { YamlEditor } from "../parts/setup/yaml-editor.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";

/** The teams of this folder and the examples: read, change, keep under a name, ask. */
export function Teams() {
  const t = useText();
  useTitle(t("teams"));
  const client = useClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const { loaded, again } = useLoaded((signal) => client.configs(signal), [client]);
  if (loaded.is === "failed") return <Problem error={loaded.error} retry={again} />;
  if (loaded.value === null) return <Loading />;
  return (
    <>
      <h1>{t("teams")}</h1>
      <p>
        <Link href="/setup">{t("teams.new")}</Link>
      </p>
      {chosen === null ? null : <TeamText key={chosen} model={chosen} saved={again} />}
      <ul className="runs">
        {loaded.value.map(({ model, name, summary, isExample, isDefault }) => (
          <li key={model}>
            <button
              type="button"
              className="link"
              aria-expanded={chosen === model}
              onClick={() => setChosen(chosen === model ? null : model)}
            >
              {name}
            </button>{" "}
            <span className="facts">
              {summary}
              {isDefault ? ` · ${t("teams.default")}` : ""}
              {isExample ? ` · ${t("teams.example")}` : ""}
            </span>{" "}
            <Link href={`/ask/${encodeURIComponent(model)}`}>{t("team.ask")}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function TeamText({ model, saved }: { readonly model: string; readonly saved: () => void }) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.configText(model, signal), [client, model]);
  const [text, setText] = useState<string | null>(null);
  const [name, setName] = useState(() => /^massgen\/path:\.massgen\/([\w-]+)\.ya?ml$/.exec(model)?.[1] ?? "my-team");
  const original = loaded.value;
  useEffect(() => {
    if (original !== null) setText(original);
  }, [original]);
  if (loaded.is === "failed") return <Problem error={loaded.error} retry={again} />;
  if (text === null) return <Loading />;
  const save = async (replace: boolean): Promise<void> => {
    try {
      const { path } = await client.saveConfig({ name, text, replace });
      say(t("team.saved", { path }));
      saved();
    } catch (error) {
      const isThere = typeof error === "object" && error !== null && "status" in error && error.status === 409;
      if (isThere && globalThis.confirm(t("team.replace", { name }))) return save(true);
      say(errorText(error), "bad");
    }
  };
  return (
    <section className="card" aria-label={model}>
      <YamlEditor text={text} change={setText} />
      <div className="actions">
        <label>
          {t("team.name")} <input value={name} spellCheck={false} onChange={({ target }) => setName(target.value)} />
        </label>
        <button type="button" className="primary" onClick={() => void save(false)}>
          {t("team.save")}
        </button>
      </div>
    </section>
  );
}
