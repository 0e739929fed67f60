import type { Vocabulary } from "./vocabulary.js";

/** A completion script for bash 3.2 and later. It asks nobody: every word is in it. */
export function bashCompletion({ commands, flags }: Vocabulary): string {
  const names = [...flags]
    .filter(([command]) => command !== "")
    .map(([command, rows]) => `    ${command}) flags=${quote(rows.flatMap((row) => row.names).join(" "))} ;;`);
  const operands = commands
    .filter((command) => command.operands.length > 0)
    .map((command) => `          ${command.name}) words=${quote(command.operands.join(" "))} ;;`);
  return `# massgen completion for bash. Once: eval "$(massgen completion bash)"; for good, that line goes into ~/.bashrc.
_massgen() {
  local line=\${COMP_LINE:0:COMP_POINT} token value previous command words= flags= breaks cut i
  token=\${line##*[[:space:]]}
  local -a before
  read -r -a before <<< "\${line%"$token"}"
  previous=\${before[\${#before[@]}-1]}
  command=
  [ "\${#before[@]}" -gt 1 ] && command=\${before[1]}
  value=$token
  case $token in --*=*) previous=\${token%%=*}; value=\${token#*=} ;; esac
  case $command in
${names.join("\n")}
    *) command= ;;
  esac
  [ -n "$command" ] || flags=${quote((flags.get("") ?? []).flatMap((row) => row.names).join(" "))}
  COMPREPLY=()
  case $token in
    --*=*) ;;
    -*) previous= words=$flags ;;
  esac
  case $previous in
    '') ;;
${[...valueRows(flags)].join("\n")}
    *)
      if [ "\${#before[@]}" -eq 1 ]; then
        words=${quote(commands.map(({ name }) => name).join(" "))}
      elif [ "\${#before[@]}" -eq 2 ]; then
        case $command in
${operands.join("\n")}
        esac
      fi ;;
  esac
  while IFS= read -r i; do [ -n "$i" ] && COMPREPLY+=("\${token%"$value"}$i"); done <<< "$(compgen -W "$words" -- "$value")"
  # Of a word with = : or @ in it, the shell replaces only what follows the last of them.
  breaks=\${COMP_WORDBREAKS//[^=:@]/}
  if [ -n "$breaks" ]; then
    cut=\${token%"\${token##*[$breaks]}"}
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"$cut"}; done
  fi
}
complete -o default -F _massgen massgen
`;
}

/** After a flag with a value: its words; without any, the shell's own file names. */
function* valueRows(flags: Vocabulary["flags"]): Iterable<string> {
  const seen = new Set<string>();
  for (const row of [...flags.values()].flat()) {
    const [name = ""] = row.names;
    if (row.value === null || seen.has(name)) continue;
    seen.add(name);
    const long = row.names.filter((one) => one.startsWith("--"));
    // Before anything is typed, files come first; the shell lists them itself.
    const when = row.value.files ? '[ -z "$value" ] || ' : "";
    yield `    ${long.join("|")}) ${when}words=${quote(row.value.words.join(" "))} ;;`;
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
