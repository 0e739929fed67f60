import type { AgentId } from "@massgen/contracts";

const OURS = /^(?:final|agent_outputs|subagents|turn_\d+|attempt_\d+)$/u;
/** Windows reserves these with any ending, `con` and `con.txt` alike. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/u;
const MAX_BYTES = 80;

/**
 * A folder name for every agent, all different on every file system, also where case does not count (EC46).
 * `agent_a` stays `agent_a`; what a file system forbids becomes `_`; a name that is taken gets `_2`, `_3`, ….
 */
export function safeNames(ids: readonly AgentId[]): ReadonlyMap<AgentId, string> {
  const names = new Map<AgentId, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    if (names.has(id)) continue;
    const name = firstFree(cleaned(id), taken);
    names.set(id, name);
    taken.add(folded(name));
  }
  return names;
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  const isFree = (candidate: string): boolean =>
    !taken.has(folded(candidate)) && !OURS.test(folded(candidate)) && !DEVICES.test(folded(candidate));
  if (isFree(name)) return name;
  // A device keeps its meaning up to the first dot, so the number goes in front of it.
  const [stem, rest] = DEVICES.test(folded(name)) ? splitAt(name, name.indexOf(".")) : [name, ""];
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const candidate = `${cutBytes(stem, MAX_BYTES - suffix.length)}${suffix}${cutBytes(rest, MAX_BYTES - stem.length - suffix.length)}`;
    if (isFree(candidate)) return candidate;
  }
}

const splitAt = (text: string, at: number): readonly [string, string] => (at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)]);

/** File systems differ in how they fold case and accents; whatever one of them takes for equal is equal here. */
const folded = (name: string): string => name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();

function cleaned(id: AgentId): string {
  const replaced = id.normalize("NFC").replace(/[\s\p{Cc}\p{Cf}\p{Surrogate}/\\<>:"|?*]/gu, "_");
  const name = cutBytes(replaced.replace(/^\.+|\.+$/g, ""), MAX_BYTES).replace(/\.+$/, "");
  return name === "" ? "agent" : name;
}

/** At most `max` bytes of UTF-8, never half a character. */
function cutBytes(text: string, max: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    kept += character;
  }
  return kept;
}
