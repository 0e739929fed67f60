/** As much of a language as colours need. */
export interface Language {
  /** One match a token: the first group a comment, the second a text or number, neither a word. */
  readonly tokens: RegExp;
  readonly words: ReadonlySet<string>;
}

// Every alternative goes on from where it began and never back: the time stays in proportion to the code.
const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`#[^\n]*`;
const DASHES = String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const QUOTED = String.raw`"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?`;
const BACKTICK = "`(?:\\\\[\\s\\S]|[^`\\\\])*`?";
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`;
const NUMBER = String.raw`\b\d[\w.]*`;
const WORD = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;

const language = (comment: string, literal: string, words: string): Language => ({
  tokens: new RegExp(`(${comment})|(${literal}|${NUMBER})|${WORD}`, "gu"),
  words: new Set(words.split(" ")),
});

const JS =
  "abstract as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield";
const PYTHON =
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield";
const GO =
  "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var";
const RUST =
  "Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while";
const C =
  "auto bool break case catch char class const constexpr continue default delete do double else enum extends extern false final finally float for fun goto if implements import int interface internal long namespace new null nullptr override package private protected public record return short signed sizeof static struct super switch template this throw throws true try typedef typename union unsigned using val var virtual void volatile while";
const SHELL =
  "break case cd continue declare do done echo elif else esac exec exit export fi for function if in local readonly return set shift source then trap unset until while";
const SQL =
  "ADD ALTER AND AS ASC BEGIN BY CASE COMMIT CONFLICT CREATE DEFAULT DELETE DESC DISTINCT DO DROP ELSE END EXISTS FOREIGN FROM FULL GROUP HAVING IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NOTHING NULL ON OR ORDER OUTER PRIMARY REFERENCES RETURNING RIGHT ROLLBACK SELECT SET TABLE THEN UNION UNIQUE UPDATE VALUES VIEW WHEN WHERE WITH";
const RUBY =
  "alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield";

const js = language(SLASHES, `${QUOTED}|${BACKTICK}`, JS);
const c = language(SLASHES, QUOTED, C);
const shell = language(String.raw`(?<![\w$])#[^\n]*`, QUOTED, SHELL);
const data = language(HASH, QUOTED, "true false null yes no on off");

/** By the names that fences and files give them. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ...named("js jsx ts tsx mjs cjs mts cts javascript typescript", js),
  ...named("json jsonc json5", language(SLASHES, QUOTED, "true false null")),
  ...named("py python pyi", language(HASH, `${TRIPLE}|${QUOTED}`, PYTHON)),
  ...named("go golang", language(SLASHES, `${QUOTED}|${BACKTICK}`, GO)),
  // A quote alone begins a lifetime as often as a letter.
  ...named("rs rust", language(SLASHES, String.raw`"(?:\\[\s\S]|[^"\\])*"?|'(?:\\.[^'\n]*|[^'\\\n])'`, RUST)),
  ...named("c h cc cpp cxx hpp c++ cs csharp java kt kotlin swift scala dart php css scss", c),
  ...named("sh bash zsh fish shell console dockerfile makefile", shell),
  ...named("yaml yml toml ini conf properties env", data),
  ...named("sql", language(DASHES, QUOTED, `${SQL} ${SQL.toLowerCase()}`)),
  ...named("rb ruby", language(HASH, QUOTED, RUBY)),
]);

function named(names: string, given: Language): readonly (readonly [string, Language])[] {
  return names.split(" ").map((name) => [name, given]);
}
