/** What a run left. */
export const filesEn = {
  "tab.files": "Files",
  "files.filter": "Part of a name",
  "files.again": "Look again",
  "files.none": "There are no such files.",
  "files.top": "Records of the run",
  "files.more": "Only the first {count} are shown; a part of a name finds the others.",
  "files.choose": "Choose a file to look at it.",
  "files.download": "Download",
  "files.large": "It has {size}, too much to be looked at here.",
  "files.binary": "It is no text; download it to look at it.",
  "files.cut": "Only the first {count} characters are shown.",
  "files.page": "The page as it looks",
  "files.scripts": "Run its scripts",
  "files.sandbox": "Shown in a frame of its own, without a network.",
} as const;
