import type { Approval } from "@massgen/contracts";
import type { ConsentDialog, Dialog, Reply, ReviewDialog } from "./dialog.js";

export interface DialogPressed {
  readonly dialog: Dialog;
  readonly reply: Reply | null;
}

/** Nobody reads a question in less: what comes sooner was typed before it. */
const READING_MS = 200;
const PAGE = 10;

/** The dialog after a key. A key that means nothing is passed over: only a letter that was read agrees. Pure. */
export function pressDialog(dialog: Dialog, key: string, nowMs: number): DialogPressed {
  const pressed = dialog.kind === "consent" ? pressConsent(dialog, key) : pressReview(dialog, key);
  return nowMs - dialog.askedMs < READING_MS ? { ...pressed, reply: null } : pressed;
}

const APPROVALS: ReadonlyMap<string, Approval> = new Map([
  ["o", "allow_once"],
  ["r", "allow_run"],
  ["d", "deny"],
]);

function pressConsent(dialog: ConsentDialog, key: string): DialogPressed {
  const approval = APPROVALS.get(key);
  if (approval !== undefined) return { dialog, reply: { is: "consent", approval } };
  return { dialog: { ...dialog, scroll: Math.max(0, dialog.scroll + (SCROLL.get(key) ?? 0)) }, reply: null };
}

/** Rows a key moves a text by. */
const SCROLL: ReadonlyMap<string, number> = new Map([
  ["up", -1],
  ["k", -1],
  ["down", 1],
  ["j", 1],
  ["pageUp", -PAGE],
  ["pageDown", PAGE],
  ["wheelUp", -3],
  ["wheelDown", 3],
]);

function pressReview(dialog: ReviewDialog, key: string): DialogPressed {
  switch (key) {
    case "a":
    case "n":
    case "l":
      return { dialog, reply: { is: "review", decision: { accept: ({ a: "all", n: "none", l: "later" } as const)[key] } } };
    case "y":
      return dialog.marked.size === 0
        ? { dialog, reply: null }
        : { dialog, reply: { is: "review", decision: { accept: "some", paths: [...dialog.marked] } } };
    default:
      return { dialog: dialog.page === "list" ? inList(dialog, key) : inText(dialog, key), reply: null };
  }
}

function inList(dialog: ReviewDialog, key: string): ReviewDialog {
  const { files, at, marked } = dialog;
  switch (key) {
    case "space":
    case "x":
      return { ...dialog, marked: toggled(marked, files[at]?.path) };
    case "enter":
    case "right":
      return { ...dialog, page: "diff", scroll: 0 };
    case "t":
      return { ...dialog, page: "answer", scroll: 0 };
    default:
      return { ...dialog, at: Math.max(0, Math.min(files.length - 1, at + (SCROLL.get(key) ?? 0))) };
  }
}

function inText(dialog: ReviewDialog, key: string): ReviewDialog {
  const { files, at, marked, page, scroll } = dialog;
  const file = (step: number): ReviewDialog => ({ ...dialog, at: Math.max(0, Math.min(files.length - 1, at + step)), scroll: 0 });
  switch (key) {
    case "escape":
    case "q":
    case "enter":
      return { ...dialog, page: "list", scroll: 0 };
    case "space":
    case "x":
      return page === "diff" ? { ...dialog, marked: toggled(marked, files[at]?.path) } : dialog;
    case "left":
    case "h":
      return page === "diff" ? file(-1) : dialog;
    case "right":
    case "tab":
      return page === "diff" ? file(1) : dialog;
    default:
      return { ...dialog, scroll: Math.max(0, scroll + (SCROLL.get(key) ?? 0)) };
  }
}

function toggled(marked: ReadonlySet<string>, path: string | undefined): ReadonlySet<string> {
  const next = new Set(marked);
  if (path !== undefined && !next.delete(path)) next.add(path);
  return next;
}
