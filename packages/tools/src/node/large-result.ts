import { join } from "node:path";
import type { ToolOutput } from "@massgen/contracts";
import { RESULT_FOLDER } from "./files/result-folder.js";
import { writeAtomic } from "./files/write-atomic.js";

export interface ResultFolder {
  /**
   * Gives the result back as it is when its text has at most `maxChars` characters. Else writes all of it to a file the
   * agent can read and gives the beginning, for commands also the end, with the path of that file.
   */
  fit(tool: string, output: ToolOutput, keep: "head" | "ends"): Promise<ToolOutput>;
  /** Writes bytes to a file of that name's kind; gives its path as the agent knows it, or `null` when it could not be written. */
  save(name: string, bytes: Uint8Array): Promise<string | null>;
}

/** Characters that are kept in the file; what is beyond is lost and said to be. */
const KEPT_CHARS = 5 * 1024 * 1024;
/** Of the inline text; leaves room for the mark. */
const MARK_CHARS = 200;

/** `.tool_results` of a workspace: for its agent alone, in no snapshot, emptied with the workspace. */
export function openResultFolder({ root, maxChars }: { readonly root: () => Promise<string>; readonly maxChars: number }): ResultFolder {
  let written = 0;
  return {
    save: async (name, bytes) => {
      const dot = name.lastIndexOf(".");
      const [stem, kind] = dot === -1 ? [name, "bin"] : [name.slice(0, dot), name.slice(dot + 1)];
      const path = `${RESULT_FOLDER}/${safe(stem)}_${++written}.${safe(kind)}`;
      return writeAtomic(join(await root(), path), Buffer.from(bytes)).then(
        () => path,
        () => null,
      );
    },
    fit: async (tool, output, keep) => {
      const text = output.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      if (text.length <= maxChars) return output;
      const name = `${RESULT_FOLDER}/${safe(tool)}_${++written}.txt`;
      const where = await writeAtomic(join(await root(), name), Buffer.from(text.slice(0, KEPT_CHARS), "utf8")).then(
        () => `${text.length > KEPT_CHARS ? `its first ${KEPT_CHARS} characters are` : "full output"} in ${name}`,
        () => "it could not be saved",
      );
      const room = maxChars - MARK_CHARS;
      const head = text.slice(0, keep === "head" ? room : Math.floor(room * 0.6));
      const tail = keep === "head" ? "" : text.slice(text.length - Math.floor(room * 0.4));
      const mark = `[... ${text.length - head.length - tail.length} chars omitted; ${where} ...]`;
      const short = [head, mark, ...(tail === "" ? [] : [tail])].join("\n");
      return { ...output, parts: [{ type: "text", text: short }, ...output.parts.filter((part) => part.type === "media")] };
    },
  };
}

const safe = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
