/** What a piece of text means on the screen. Colour is never its only sign: every state has a word or a mark as well. */
export type Role =
  | "plain"
  | "strong"
  | "faint"
  | "accent"
  | "good"
  | "warning"
  | "bad"
  | "selected"
  | "title"
  | "keyword"
  | "literal"
  | "comment";

export type ThemeName = "dark" | "light" | "contrast" | "none";

/** Paints a text that holds no control characters of its own. */
export type Style = (role: Role, text: string) => string;

const RESET = "\u001b[0m";

/** Sixteen colours at most, so that the palette of the terminal's owner decides how they look. */
const CODES: Readonly<Record<ThemeName, Readonly<Record<Role, string>>>> = {
  dark: {
    plain: "",
    strong: "1",
    faint: "2",
    accent: "36",
    good: "32",
    warning: "33",
    bad: "31",
    selected: "7",
    title: "1;36",
    keyword: "35",
    literal: "33",
    comment: "2",
  },
  light: {
    plain: "",
    strong: "1",
    faint: "90",
    accent: "34",
    good: "32",
    warning: "35",
    bad: "31",
    selected: "7",
    title: "1;34",
    keyword: "35",
    literal: "32",
    comment: "90",
  },
  contrast: {
    plain: "",
    strong: "1",
    faint: "",
    accent: "1;4",
    good: "1",
    warning: "1;7",
    bad: "1;7",
    selected: "7",
    title: "1;4",
    keyword: "1",
    literal: "",
    comment: "",
  },
  none: {
    plain: "",
    strong: "1",
    faint: "",
    accent: "",
    good: "",
    warning: "1",
    bad: "1",
    selected: "7",
    title: "1",
    keyword: "",
    literal: "",
    comment: "",
  },
};

export function createStyle(theme: ThemeName): Style {
  const codes = CODES[theme];
  return (role, text) => (codes[role] === "" || text === "" ? text : `\u001b[${codes[role]}m${text}${RESET}`);
}
