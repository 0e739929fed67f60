import { parseKey, StdinBuffer } from "@earendil-works/pi-tui";

/** Names of keys in what a terminal sends, one callback a key; pasted text is no key. `isAlone`: nothing came with it. */
export interface KeyReader {
  read(data: string): void;
  close(): void;
}

export function readKeys(onKey: (name: string, isAlone: boolean) => void): KeyReader {
  const buffer = new StdinBuffer({ timeout: 20 });
  let chunk = "";
  buffer.on("data", (sequence: string) => {
    const name = nameOf(sequence);
    if (name !== null) onKey(name, sequence === chunk);
  });
  buffer.on("paste", () => {});
  return {
    read: (data) => {
      chunk = data;
      buffer.process(data);
    },
    close: () => buffer.destroy(),
  };
}

/** SGR mouse: 64 and 65 are the wheel, whatever keys are held with it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of the terminal begin with one
const MOUSE = /^\u001b\[<(\d+);\d+;\d+[Mm]$/;

function nameOf(sequence: string): string | null {
  const button = MOUSE.exec(sequence)?.[1];
  if (button !== undefined) return (Number(button) & ~28) === 64 ? "wheelUp" : (Number(button) & ~28) === 65 ? "wheelDown" : null;
  const name = parseKey(sequence) ?? sequence;
  return name === "return" ? "enter" : name;
}
