import type { ProviderRow } from "@massgen/config";
import { cells } from "../output/columns.js";

/** The rows as lines for people; columns are as wide as their widest cell. */
export function providerTable(rows: readonly ProviderRow[]): string {
  const head = ["TYPE", "NAME", "DEFAULT MODEL", "KEY VARIABLE", "KEY", "WHERE", "RUNS TODAY"];
  const body = rows.map((row) => [
    row.type,
    row.name,
    row.defaultModel ?? "-",
    row.keyVariables.length === 0 ? "-" : row.keyVariables.join(" or "),
    row.key === "none" ? "-" : row.key,
    row.local ? "local" : "-",
    row.supported ? "yes" : "not yet",
  ]);
  const table = [head, ...body];
  const widths = head.map((_, column) => Math.max(...table.map((row) => cells(row[column] ?? ""))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - cells(cell)))
      .join("  ")
      .trimEnd();
  return table.map((row) => `${line(row)}\n`).join("");
}
