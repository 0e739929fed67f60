/** Where the server only shows runs. */
export const lookEn = {
  readOnly: "only to look at",
  "readOnly.why": "This server only shows runs. Ask with massgen --web, or in the terminal.",
  "readOnly.atWork":
    "Another process plays this run and writes it down; here it is followed. What an agent says is not in the record before it is an answer, and the run is steered where it was started.",
  "readOnly.elsewhere": "It is answered where the run was started.",
  "readOnly.waits": "Changes of files wait for a decision.",
  "readOnly.undecided":
    "{presenter} changed {count} files. Nothing is brought to its place until it is decided: where the run was started, or with massgen --resume and the folder of its log.",
} as const;
