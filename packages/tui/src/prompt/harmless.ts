import type { Component } from "@earendil-works/pi-tui";

/** What is typed or pasted, as it is shown: without the controls and marks of direction that the editor lets through. They take no cell. */
export const harmless = (editor: Component): Component => ({
  render: (width) => editor.render(width).map((row) => row.replaceAll(UNSEEN, "")),
  invalidate: () => editor.invalidate(),
});

/** A text as the editor may have it: what it would not let in by keys or paste does not come from a file either. */
export const typeable = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").replaceAll(CONTROLS, "");

const UNSEEN = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/g;
