import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { writeAtomic } from "../src/node/files/write-atomic.js";
import { openDesk } from "./desk.js";

it("T3.6 a write that breaks off leaves the old content and nothing else", async () => {
  const desk = await openDesk();
  await desk.put("ws/a.txt", "old");
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  const writing = writeAtomic(desk.at("ws/a.txt"), Buffer.from("new content"), {
    fill: async (handle, bytes) => {
      await handle.writeFile(bytes.subarray(0, 3));
      throw full;
    },
  });
  await expect(writing).rejects.toBe(full);
  expect(await readdir(desk.at("ws"))).toEqual(["a.txt"]);
  expect(await readFile(desk.at("ws/a.txt"), "utf8")).toBe("old");
});
