import type { Vocabulary } from "./vocabulary.js";

/** A completion script for fish. It asks nobody: every word is in it. */
export function fishCompletion({ commands, flags }: Vocabulary): string {
  const lines = ["# massgen completion for fish. Once: massgen completion fish | source", "complete -c massgen -f"];
  const all = commands.map(({ name }) => name).join(" ");
  for (const { name, help, operands } of commands) {
    lines.push(`complete -c massgen -n __fish_use_subcommand -a ${name} -d ${quote(help)}`);
    if (operands.length > 0) lines.push(`complete -c massgen -n '__fish_seen_subcommand_from ${name}' -a ${quote(operands.join(" "))}`);
  }
  for (const [command, rows] of flags) {
    const where = command === "" ? `'not __fish_seen_subcommand_from ${all}'` : `'__fish_seen_subcommand_from ${command}'`;
    for (const { names, help, value } of rows) {
      const spelled = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
      const files = value?.files === true ? " -F" : "";
      const words = value === null ? "" : ` -r${files}${value.words.length === 0 ? "" : ` -a ${quote(value.words.join(" "))}`}`;
      lines.push(`complete -c massgen -n ${where} ${spelled}${words} -d ${quote(help)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
