import { ClientError, createClient, type MassgenClient } from "@massgen/client";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { Loading } from "../parts/loading.js";
import { Problem } from "../parts/problem.js";
import { KeyGate } from "./key-gate.js";

const Client = createContext<MassgenClient | null>(null);

/** The server that gave this page. */
export function useClient(): MassgenClient {
  const client = useContext(Client);
  if (client === null) throw new Error("There is no server around this part of the page.");
  return client;
}

/** Where the page lies, below whatever prefix a proxy gave it. */
const baseUrl = (): string => new URL(".", document.baseURI.replace(/#.*$/, "")).href;

/** Kept for this tab alone: a key that outlives it would be there for whoever opens the browser next. */
const KEY = "massgen.key";
const keptKey = (): string | null => sessionStorage.getItem(KEY);

type Access =
  | { readonly is: "asking" | "key" | "wrong_key" }
  | { readonly is: "open"; readonly readOnly: boolean }
  | { readonly is: "failed"; readonly error: unknown };

interface Reached {
  readonly client: MassgenClient;
  readonly access: Access;
  readonly enter: (key: string) => void;
  readonly retry: () => void;
}
const Reach = createContext<Reached | null>(null);

/** Whether the server only shows runs: it starts none, and nothing is said to one, decided or written. */
export function useReadOnly(): boolean {
  const access = useContext(Reach)?.access;
  return access?.is === "open" && access.readOnly;
}

/** Asks the server that gave this page whether it is open, and what for. */
export function Server({ children }: { readonly children: ReactNode }) {
  const [apiKey, setApiKey] = useState(keptKey);
  const [access, setAccess] = useState<Access>({ is: "asking" });
  const [tries, setTries] = useState(0);
  const client = useMemo(() => createClient({ baseUrl: baseUrl(), ...(apiKey === null ? {} : { apiKey }) }), [apiKey]);
  useEffect(() => {
    const gone = new AbortController();
    client.listRuns({ limit: 1 }, gone.signal).then(
      ({ readOnly = false }) => setAccess({ is: "open", readOnly }),
      (error: unknown) => {
        if (gone.signal.aborted) return;
        if (error instanceof ClientError && error.status === 401) setAccess({ is: apiKey === null ? "key" : "wrong_key" });
        else setAccess({ is: "failed", error });
      },
    );
    return () => gone.abort();
  }, [client, apiKey, tries]);
  const retry = useCallback(() => setTries((count) => count + 1), []);
  const enter = useCallback(
    (key: string) => {
      sessionStorage.setItem(KEY, key);
      setApiKey(key);
      retry();
    },
    [retry],
  );
  const reached = useMemo(() => ({ client, access, enter, retry }), [client, access, enter, retry]);
  return <Reach value={reached}>{children}</Reach>;
}

/** Asks for a key where the server wants one; what is inside can rely on an open door. */
export function Door({ children }: { readonly children: ReactNode }) {
  const reached = useContext(Reach);
  if (reached === null || reached.access.is === "asking") return <Loading />;
  const { client, access, enter, retry } = reached;
  if (access.is === "failed") return <Problem error={access.error} retry={retry} />;
  if (access.is !== "open") return <KeyGate isWrong={access.is === "wrong_key"} enter={enter} />;
  return <Client value={client}>{children}</Client>;
}
