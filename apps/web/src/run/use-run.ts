import { useEffect, useState, useSyncExternalStore } from "react";
import { useClient } from "../server/server.js";
import { openRunStore, type RunStore, type Watched } from "./run-store.js";

/** Watches a run for as long as the part that asks is on the page; `null` until it has begun to. */
export function useRun(id: string): Watched | null {
  const client = useClient();
  const [store, setStore] = useState<RunStore | null>(null);
  useEffect(() => {
    const opened = openRunStore(client, id);
    setStore(opened);
    return () => opened.close();
  }, [client, id]);
  return useSyncExternalStore(store?.subscribe ?? never, store?.current ?? nothing);
}

const never = (): (() => void) => () => {};
const nothing = (): null => null;
