import { lazy, Suspense, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { useDraft } from "../app/draft.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";
import { type ContextPath, foldersIn } from "./context-paths.js";
import { Loading } from "./loading.js";
import { Problem } from "./problem.js";
import { TeamFacts } from "./team-facts.js";

const ContextFolders = lazy(async () => ({ default: (await import("./context-folders.js")).ContextFolders }));

/** A question, who is to work on it, and on what. */
export function Ask({ sessionId, team }: { readonly sessionId?: string; readonly team?: string }) {
  const t = useText();
  const client = useClient();
  const [, go] = useLocation();
  const [question, setQuestion] = useDraft(sessionId ?? "new");
  // A team that was named counts more than the one chosen before; a conversation has its own.
  const [kept, setKept] = useDraft(sessionId === undefined && team === undefined ? "team" : `team.${sessionId ?? team}`);
  const [model, setModel] = useState(kept === "" ? (team ?? "massgen") : kept);
  const [foldersKept, setFoldersKept] = useDraft(`folders.${sessionId ?? "new"}`);
  const folders = useMemo(() => foldersIn(foldersKept), [foldersKept]);
  const setFolders = (next: readonly ContextPath[]): void => setFoldersKept(next.length === 0 ? "" : JSON.stringify(next));
  const [isConversation, setIsConversation] = useState(true);
  const [isStarting, setIsStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async (): Promise<void> => {
    setIsStarting(true);
    setError(null);
    try {
      const run = await client.startRun({
        question,
        model,
        answersRequests: true,
        reviewsChanges: true,
        ...(folders.length === 0 ? {} : { contextPaths: [...folders] }),
        ...sessionOf(sessionId, isConversation),
      });
      setQuestion("");
      go(`/runs/${encodeURIComponent(run.id)}`);
    } catch (cause) {
      setError(cause);
      setIsStarting(false);
    }
  };
  return (
    <form
      className="card ask"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <label htmlFor="question">{t("ask.question")}</label>
      <textarea
        id="question"
        rows={5}
        required
        dir="auto"
        value={question}
        placeholder={t("ask.placeholder")}
        onChange={({ target }) => setQuestion(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="actions">
        <label htmlFor="team">{t("ask.team")}</label>
        <input
          id="team"
          list="teams"
          value={model}
          onChange={({ target }) => {
            setModel(target.value);
            setKept(target.value);
          }}
          spellCheck={false}
        />
        <button type="submit" className="primary" disabled={isStarting || question.trim() === ""}>
          {isStarting ? t("ask.starting") : t("ask.start")}
        </button>
        <span className="faint">{t("ask.hint")}</span>
        {sessionId === undefined ? (
          <label className="faint">
            <input type="checkbox" checked={isConversation} onChange={({ target }) => setIsConversation(target.checked)} />{" "}
            {t("ask.conversation")}
          </label>
        ) : null}
      </div>
      <OfThisMachine model={model} folders={folders} setFolders={setFolders} />
      {error === null ? null : <Problem error={error} />}
    </form>
  );
}

interface MachineProps {
  readonly model: string;
  readonly folders: readonly ContextPath[];
  readonly setFolders: (folders: readonly ContextPath[]) => void;
}

/** What the server says of its teams, keys and folders. One that keeps them to itself answers with 404 and is asked for names only. */
function OfThisMachine({ model, folders, setFolders }: MachineProps) {
  const t = useText();
  const client = useClient();
  const [isOpen, setIsOpen] = useState(false);
  const { loaded: setup } = useLoaded((signal) => client.setup(signal), [client]);
  const { loaded: named } = useLoaded((signal) => client.teams(signal), [client]);
  const isOurs = setup.value !== null;
  const { loaded: listed } = useLoaded((signal) => (isOurs ? client.configs(signal) : Promise.resolve([])), [client, isOurs]);
  const teams = listed.value ?? [];
  const byDefault = teams.find(({ isDefault }) => isDefault);
  const chosen = model === "massgen" ? byDefault : teams.find((one) => one.model === model);
  const labels = new Map(teams.map(({ model: name, summary }) => [name, summary]));
  return (
    <>
      <datalist id="teams">
        {[...new Set([...labels.keys(), ...(named.value ?? [])])].map((name) => (
          <option key={name} value={name} label={labels.get(name)} />
        ))}
      </datalist>
      {setup.value?.problem == null || (byDefault !== undefined && chosen !== byDefault) ? null : (
        <p className="warning" role="status">
          {byDefault === undefined ? t("setup.first") : `${t("ask.notYet")} ${setup.value.problem}`}{" "}
          <Link href="/setup">{t("setup.begin")}</Link>
        </p>
      )}
      {chosen === undefined ? null : <TeamFacts team={chosen} />}
      {isOurs ? (
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>
            {t("folders")} {folders.length === 0 ? null : <span className="faint">({t("folders.count", { count: folders.length })})</span>}
          </summary>
          {isOpen ? (
            <Suspense fallback={<Loading />}>
              <ContextFolders chosen={folders} change={setFolders} />
            </Suspense>
          ) : null}
        </details>
      ) : null}
    </>
  );
}

/** A conversation begins with an id of its own, where the browser may make one: pages that came over plain HTTP from elsewhere may not. */
const sessionOf = (sessionId: string | undefined, begins: boolean): { readonly sessionId?: string } => {
  if (sessionId !== undefined) return { sessionId };
  return begins && "randomUUID" in crypto ? { sessionId: crypto.randomUUID() } : {};
};
