import type { KeyRow, KeySection } from "@massgen/config";
import { cells, wrap } from "../output/columns.js";

/** The keys of a config as lines for people. `provider`: also the keys that are for this one only; `null` leaves such keys out. */
export function schemaTable(sections: readonly KeySection[], provider: string | null): string {
  return sections
    .map(({ where, rows }) => ({ where, rows: rows.filter((row) => isShown(row, provider)) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ where, rows }) => `${where === "" ? "top level" : where}\n${lines(rows)}`)
    .join("\n");
}

const isShown = ({ only }: KeyRow, provider: string | null): boolean => only.length === 0 || (provider !== null && only.includes(provider));

/** The words of a type get a column of this width; what is longer moves the rest of its line. */
const TYPE_CELLS = 36;

const LINE_CELLS = 110;

function lines(rows: readonly KeyRow[]): string {
  const working = rows.filter(({ works }) => works);
  const width = Math.max(0, ...working.map(({ key }) => cells(key)));
  // Parts of a section that does not work say nothing more.
  const others = rows.filter(({ works, key }) => !works && !/[.[]/.test(key)).map(({ key }) => key);
  const rest =
    others.length === 0
      ? []
      : wrap(`  Not supported yet: ${others.join(", ")}`, LINE_CELLS).map((line, index) => (index === 0 ? line : `    ${line.trim()}`));
  return working
    .map(({ key, type, fallback, note }) => {
      const shown = fallback === "" ? type : `${type} (${fallback})`;
      return `  ${fill(key, width)}  ${fill(shown, TYPE_CELLS)}  ${note}`.trimEnd().concat("\n");
    })
    .concat(rest.map((line) => `${line}\n`))
    .join("");
}

const fill = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - cells(text)));
