import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import { binaryKind } from "../files/binary-kinds.js";
import { openEntry } from "../files/file-bytes.js";
import { type HeldFolder, inFolder } from "../files/held-folder.js";
import { refuse, systemCode } from "../files/refusal.js";
import { showName } from "../files/show-text.js";
import { decodeText, linesOf } from "../files/text-content.js";
import { naming } from "../files/text-file.js";

export const fileInfoTool: AnyFileTool = fileTool({
  name: "file_info",
  description: "Type, size, mode and times of a file or directory; for text its encoding and number of lines.",
  input: z.strictObject({ path: z.string().describe("File or directory.") }),
  risk: "read",
  effects: ({ path }) => [pathEffect("stat", path)],
  run: async ({ path }, job) => {
    const place = await job.access.locate("stat", path);
    return naming(job, place, () =>
      // A root has its parent outside; only its own entry in it is looked at.
      inFolder(dirname(place.real), async (folder) => {
        const name = basename(place.real);
        const found = await lstat(name === "" ? folder.self : folder.at(name)).catch((error: unknown) =>
          systemCode(error) === "ENOENT" ? refuse("NOT_FOUND", "It does not exist.", error) : Promise.reject(error),
        );
        const type = found.isSymbolicLink()
          ? "link"
          : found.isDirectory()
            ? "directory"
            : found.isFile()
              ? "file"
              : "device, pipe or socket";
        const lines = [
          `path: ${showName(path)}`,
          `type: ${type}`,
          `size: ${found.size}`,
          `mode: ${(found.mode & 0o7777).toString(8).padStart(4, "0")}`,
          `modified: ${found.mtime.toISOString()}`,
          `created: ${found.birthtime.toISOString()}`,
          ...(found.isFile() && found.nlink > 1 ? [`names: ${found.nlink} (hard links)`] : []),
        ];
        const mayRead = type === "file" && found.size <= job.limits.writtenFileBytes && (await job.access.mayUse("read", place.real));
        return [...lines, ...(mayRead ? await content(folder, name) : [])].join("\n");
      }),
    );
  },
});

async function content(folder: HeldFolder, name: string): Promise<readonly string[]> {
  const { handle } = await openEntry(folder, name);
  try {
    const decoded = decodeText(await handle.readFile());
    if (decoded === null) return [`content: binary${binaryKind(name) === null ? "" : ` (${binaryKind(name)})`}`];
    const { encoding, hasBom } = decoded.form;
    const bom = hasBom ? " with byte order mark" : "";
    return [`content: text, ${encoding}${bom}${decoded.text.includes("\r\n") ? ", CRLF" : ""}`, `lines: ${linesOf(decoded.text).length}`];
  } finally {
    await handle.close();
  }
}
