#!/usr/bin/env node
// The front file: version and help come from here at once, everything else is loaded when the command is known.
// It imports nothing and ships as CommonJS: an empty ES module alone costs a sixth of the start of Node. `writeSync` is
// measurably cheaper than opening `process.stdout`.

/** Set by the bundler; read from package.json when run from source. */
declare const MASSGEN_VERSION: string | undefined;

const fs = process.getBuiltinModule("node:fs");
const beside = (path: string): string => `${import.meta.dirname}/${path}`;

function version(): string {
  if (typeof MASSGEN_VERSION === "string") return MASSGEN_VERSION;
  const { version } = JSON.parse(fs.readFileSync(beside("../package.json"), "utf8")) as { readonly version: string };
  return version;
}

/** The text the bundler wrote for `massgen --help` (`""`), a command, or a topic (`topic config`); `null` when there is none. */
function writtenHelp(topic: string): string | null {
  try {
    const texts = JSON.parse(fs.readFileSync(beside("help.json"), "utf8")) as Readonly<Record<string, string>>;
    return Object.hasOwn(texts, topic) ? (texts[topic] ?? null) : null;
  } catch {
    return null;
  }
}

/** Writes all of `text`; a reader who has left is no error. */
function say(text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EAGAIN") process.stdout.write(rest);
    else if (code !== "EPIPE") {
      process.stderr.write(`massgen: error: cannot write to standard output (${code})\n`);
      process.exitCode = 2;
    }
  }
}

const VERSION = ["--version", "-V"];
const HELP = ["--help", "-h"];

/** What can be said without looking at the rest of the command line. */
function quickAnswer(args: readonly string[]): string | null {
  const [first = "", second = ""] = args;
  if (VERSION.includes(first)) return `massgen ${version()}\n`;
  if (HELP.includes(first)) return writtenHelp("");
  if (first === "help" && args.length < 3) return writtenHelp(`topic ${second}`) ?? writtenHelp(HELP.includes(second) ? "" : second);
  return HELP.includes(second) && args.length === 2 ? writtenHelp(first) : null;
}

const answer = quickAnswer(process.argv.slice(2));
if (answer !== null) {
  say(answer);
} else {
  // Node 22 and later keep the compiled chunks; the types are those of Node 20.
  (process.getBuiltinModule("node:module") as { readonly enableCompileCache?: () => void }).enableCompileCache?.();
  // `main` tells its own failures; what is left is a broken installation, and Node says which file is missing.
  void import("./main.js").then(({ main }) => main(version()));
}
