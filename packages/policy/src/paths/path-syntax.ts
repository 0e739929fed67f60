import { join, resolve } from "node:path";

export interface SyntaxContext {
  /** Where relative paths start; `null` when there is no such place. */
  readonly base: string | null;
  readonly home: string | null;
  readonly windows: boolean;
}

export type ReadPath = { readonly ok: true; readonly lexical: string } | { readonly ok: false; readonly fault: string };

const MAX_BYTES = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\..*)?$/i;

/** A path as an agent wrote it, made absolute and normal; or what is wrong with it, to follow "The path". Nothing is decoded. */
export function readPath(written: string, context: SyntaxContext): ReadPath {
  const fault = faultOf(written, context.windows);
  if (fault !== null) return { ok: false, fault };
  const expanded = /^~(?=$|\/)/.test(written) ? inHome(written, context.home) : written;
  if (expanded === null) return { ok: false, fault: "begins with ~, and there is no home folder here" };
  if (context.base === null && resolve("/", expanded) !== resolve(expanded)) {
    return { ok: false, fault: "is relative, and there is no workspace it could start from" };
  }
  return { ok: true, lexical: context.base === null ? resolve(expanded) : resolve(context.base, expanded) };
}

const inHome = (written: string, home: string | null): string | null => (home === null ? null : join(home, written.slice(1)));

function faultOf(written: string, windows: boolean): string | null {
  if (written === "") return "is empty";
  if (Buffer.byteLength(written) > MAX_BYTES) return `is longer than ${MAX_BYTES} bytes`;
  if (CONTROL.test(written)) return "contains a control character";
  if (/\p{Cs}/u.test(written)) return "is not valid Unicode";
  if (/^~[^/]/.test(written)) return "names another user's home with ~";
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(written)) return "is a URL; give the plain path";
  if (written.split(/[\\/]/).some(hidesDots)) return "contains a name that some file systems take for . or ..";
  return windows ? windowsFault(written) : posixFault(written);
}

/** Full-width dots and the like, and slashes made of other characters. */
function hidesDots(name: string): boolean {
  const plain = name.normalize("NFKC").replace(/[\u200b-\u200f\u2060\ufeff]/g, "");
  return plain !== name && (/^\.{1,2}$/.test(plain) || /^\.\.[\\/]|[\\/]\.\.[\\/]/.test(plain));
}

function posixFault(written: string): string | null {
  if (/^[a-z]:[\\/]/i.test(written) || written.startsWith("\\\\")) return "is a Windows path; this system uses /";
  return /(?:^|[\\/])\.\.\\|\\\.\.(?:$|[\\/])/.test(written) ? "goes up with \\; this system uses /" : null;
}

function windowsFault(written: string): string | null {
  if (/^[\\/]{2}/.test(written)) return "is a network or device path";
  const names = written.replace(/^[a-z]:/i, "").split(/[\\/]/);
  if (names.some((name) => name.includes(":"))) return "names a stream with :";
  if (names.some((name) => DEVICE.test(name))) return "names a device";
  return names.some((name) => /[. ]$/.test(name) && name !== "." && name !== "..") ? "has a name that ends in a dot or a space" : null;
}
