import { spawn } from "node:child_process";
import { MassgenError } from "@massgen/contracts";
import type { ExportFile, ExportPlan, SkippedFile } from "./collect/plan-export.js";

/** Begins the description of every gist of ours, so that no other one is ever listed or deleted. */
const MARK = "MassGen record: ";
/** What the service takes: fewer than 300 files, and we leave some room. */
const MOST_FILES = 290;
const MOST_BYTES_PER_FILE = 10_000_000;
const PATIENCE_MS = 120_000;

export interface Gh {
  /** Where `gh` is looked for and how it signs in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface Share {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly files: number;
}

/** What of a plan a gist can hold: texts, flat names, no more than it takes. */
export function forGist(plan: ExportPlan): { readonly files: readonly ExportFile[]; readonly skipped: readonly SkippedFile[] } {
  const files: ExportFile[] = [];
  const skipped: SkippedFile[] = [];
  for (const file of plan.files) {
    if (!file.isText || file.bytes === 0) skipped.push({ path: file.path, reason: "no text, which a gist cannot hold" });
    else if (file.bytes > MOST_BYTES_PER_FILE || files.length >= MOST_FILES) skipped.push({ path: file.path, reason: "too large" });
    else files.push({ ...file, path: file.path.replaceAll("/", "__") });
  }
  return { files, skipped };
}

/** Makes a secret gist, through the user's own `gh`, and gives its address. @throws MassgenError when `gh` is missing or refuses */
export async function createShare(plan: ExportPlan, files: readonly ExportFile[], gh: Gh): Promise<Share> {
  const contents: Record<string, { readonly content: string }> = {};
  for (const file of files) contents[file.path] = { content: Buffer.from(await file.read()).toString("utf8") };
  const body = JSON.stringify({ description: `${MARK}${plan.log.name}`, public: false, files: contents });
  const share = shareOf(parsed(await runGh(["api", "--method", "POST", "/gists", "--input", "-"], gh, body)));
  if (share === null)
    throw new MassgenError("RUN_FAILED", "`gh` made a gist and did not say where.", {
      exitCode: 2,
      hint: "Look with: massgen shares list",
    });
  return share;
}

/** The gists of ours among the newest hundred of the user, newest first. */
export async function listShares(gh: Gh): Promise<readonly Share[]> {
  const gists = parsed(await runGh(["api", "/gists?per_page=100"], gh));
  return (Array.isArray(gists) ? gists : [])
    .flatMap((gist: unknown) => shareOf(gist) ?? [])
    .filter(({ description }) => description.startsWith(MARK));
}

/** Deletes a gist of ours; any other is refused. @throws MassgenError */
export async function deleteShare(id: string, gh: Gh): Promise<Share> {
  if (!/^[0-9a-f]{5,64}$/i.test(id))
    throw new MassgenError("USAGE", `${JSON.stringify(id)} is no id of a share.`, {
      exitCode: 2,
      hint: "List them with: massgen shares list",
    });
  const share = shareOf(parsed(await runGh(["api", `/gists/${id}`], gh)));
  if (share === null || !share.description.startsWith(MARK))
    throw new MassgenError("CONFIG_INVALID", `The gist ${id} was not made by massgen, so massgen does not delete it.`, { exitCode: 1 });
  await runGh(["api", "--method", "DELETE", `/gists/${id}`], gh);
  return share;
}

function shareOf(value: unknown): Share | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, html_url: url, description, created_at: createdAt, files } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || typeof url !== "string") return null;
  return {
    id,
    url,
    description: typeof description === "string" ? description : "",
    createdAt: typeof createdAt === "string" ? createdAt : "",
    files: typeof files === "object" && files !== null ? Object.keys(files).length : 0,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MassgenError("RUN_FAILED", "`gh` answered with something that is no JSON.", { exitCode: 2, cause });
  }
}

/** Text goes to `gh` through its standard input, never through its arguments, which others on the machine can read. */
function runGh(args: readonly string[], { env, signal }: Gh, input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("gh", [...args], {
      env: { ...env, GH_PROMPT_DISABLED: "1", NO_COLOR: "1" },
      stdio: ["pipe", "pipe", "pipe"],
      signal,
      timeout: PATIENCE_MS,
    });
    const kept = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      kept.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      kept.err += text;
    });
    child.once("error", (cause) => reject(signal.aborted ? signal.reason : missing(cause)));
    child.once("close", (code) => (code === 0 ? resolve(kept.out) : reject(signal.aborted ? signal.reason : refused(code, kept.err))));
    // `gh` may end before it has read everything; what it says then counts.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

const missing = (cause: unknown): MassgenError =>
  new MassgenError("RUN_FAILED", "Sharing needs the program `gh`, which could not be started.", {
    exitCode: 2,
    cause,
    hint: "Install it from https://cli.github.com and sign in with: gh auth login. Or write a file: massgen export --output record.html",
  });

const refused = (code: number | null, err: string): MassgenError =>
  new MassgenError("RUN_FAILED", `\`gh\` ended with ${code ?? "a signal"}: ${err.trim().split("\n").at(-1)?.slice(0, 300) ?? ""}`, {
    exitCode: 2,
    hint: "Is it signed in, with the right to make gists? gh auth status; gh auth refresh --scopes gist",
  });
