import type { Modal, ScreenState } from "../state.js";
import type { WorkspaceFile } from "./workspace-files.js";

/** Something of a workspace that is to be fetched. */
export type FilesRequest =
  | { readonly is: "list_files"; readonly agent: string }
  | { readonly is: "read_file"; readonly agent: string; readonly path: string };

interface FilesPressed {
  readonly state: ScreenState;
  readonly request: FilesRequest | null;
}

const PAGE = 10;

/** Opens the workspace of the selected agent; there is none before the agents are known. */
export function openFiles(state: ScreenState): FilesPressed {
  const agent = state.view.state.order[state.selected];
  if (agent === undefined) return { state, request: null };
  return {
    state: {
      ...state,
      modal: { name: "files", at: 0, scroll: 0, shows: "text" },
      files: { agent, listing: { is: "loading" }, open: null },
    },
    request: { is: "list_files", agent },
  };
}

/** The workspace after a key; `null` for one that means the same in every modal. */
export function pressFiles(state: ScreenState, modal: Modal, key: string): FilesPressed | null {
  if (modal.name === "file") return inFile(state, modal, key);
  const all = filesOf(state);
  const move = (rows: number): FilesPressed => ({
    state: { ...state, modal: { ...modal, at: Math.max(0, Math.min(all.length - 1, modal.at + rows)) } },
    request: null,
  });
  const step = STEPS.get(key);
  if (step !== undefined) return move(step);
  switch (key) {
    case "enter":
    case "space":
      return openFile(state, modal, modal.at);
    case "tab":
    case "right":
    case "l":
      return ofAgent(state, 1);
    case "shift+tab":
    case "left":
    case "h":
      return ofAgent(state, -1);
    case "r":
      return openFiles(state);
    default:
      return null;
  }
}

function inFile(state: ScreenState, modal: Modal, key: string): FilesPressed | null {
  switch (key) {
    case "escape":
    case "q":
    case "enter": {
      const files = state.files === null ? null : { ...state.files, open: null };
      return { state: { ...state, files, modal: { ...modal, name: "files", scroll: 0 } }, request: null };
    }
    case "right":
    case "l":
    case "tab":
      return openFile(state, modal, modal.at + 1);
    case "left":
    case "h":
      return openFile(state, modal, modal.at - 1);
    default:
      return null;
  }
}

function openFile(state: ScreenState, modal: Modal, at: number): FilesPressed {
  const file = filesOf(state)[at];
  if (file === undefined || state.files === null) return { state, request: null };
  const { path } = file;
  return {
    state: {
      ...state,
      modal: { ...modal, name: "file", at, scroll: 0 },
      files: { ...state.files, open: { path, preview: { is: "loading" } } },
    },
    request: { is: "read_file", agent: state.files.agent, path },
  };
}

function ofAgent(state: ScreenState, step: number): FilesPressed {
  const count = state.view.state.order.length;
  return openFiles({ ...state, selected: (state.selected + step + count) % Math.max(1, count), scrolledUp: 0 });
}

const filesOf = ({ files }: ScreenState): readonly WorkspaceFile[] =>
  files?.listing.is === "there" ? (files.listing.value?.files ?? []) : [];

const STEPS: ReadonlyMap<string, number> = new Map([
  ["up", -1],
  ["k", -1],
  ["down", 1],
  ["j", 1],
  ["pageUp", -PAGE],
  ["pageDown", PAGE],
  ["wheelUp", -3],
  ["wheelDown", 3],
  ["home", Number.NEGATIVE_INFINITY],
  ["g", Number.NEGATIVE_INFINITY],
  ["end", Number.POSITIVE_INFINITY],
  ["shift+g", Number.POSITIVE_INFINITY],
]);
