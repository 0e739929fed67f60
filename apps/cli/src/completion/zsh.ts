import type { Vocabulary } from "./vocabulary.js";

/** A completion script for zsh. It asks nobody: every word is in it. */
export function zshCompletion({ commands, flags }: Vocabulary): string {
  const rows = [...flags]
    .filter(([command]) => command !== "")
    .map(
      ([command, list]) =>
        `    ${quote(command)}) flags=(\n${list.flatMap(({ names, help }) => names.map((name) => `      ${quote(`${escaped(name)}:${help}`)}`)).join("\n")}\n    ) ;;`,
    );
  const values = new Map(
    [...flags.values()].flat().flatMap(({ names, value }) => (value === null ? [] : names.map((name) => [name, value] as const))),
  );
  return `#compdef massgen
# massgen completion for zsh. Once: source <(massgen completion zsh); for good, write it as _massgen into a folder of $fpath.
_massgen() {
  local previous=\${words[CURRENT-1]} command=
  local -a verbs flags
  (( CURRENT > 2 )) && command=\${words[2]}
  if [[ \${words[CURRENT]} == --*=* ]]; then
    previous=\${words[CURRENT]%%=*}
    compset -P '*='
  elif [[ \${words[CURRENT]} == -* ]]; then
    previous=
  fi
  case $previous in
${[...values]
  .map(([name, { words, files }]) => {
    const offered = words.length === 0 ? "" : `compadd -- ${words.map(quote).join(" ")}; `;
    return `    ${name}) ${offered}${files ? "_files; " : ""}return ;;`;
  })
  .join("\n")}
  esac
  case $command in
${rows.join("\n")}
    *) command= ;;
  esac
  [[ -n $command ]] || flags=(
${(flags.get("") ?? []).flatMap(({ names, help }) => names.map((name) => `    ${quote(`${escaped(name)}:${help}`)}`)).join("\n")}
  )
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option flags
  elif (( CURRENT == 2 )); then
    verbs=(
${commands.map(({ name, help }) => `      ${quote(`${name}:${help}`)}`).join("\n")}
    )
    _describe command verbs
  elif (( CURRENT == 3 )); then
    case $command in
${commands
  .filter(({ operands }) => operands.length > 0)
  .map(({ name, operands }) => `      ${name}) compadd -- ${operands.map(quote).join(" ")} ;;`)
  .join("\n")}
    esac
  fi
}
# Sourced, it has to be named to the shell; found in $fpath, it is being called.
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _massgen "$@"; else compdef _massgen massgen; fi
`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const escaped = (name: string): string => name.replaceAll(":", "\\:");
