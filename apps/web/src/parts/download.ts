/** Long enough for any browser to have begun. */
const KEPT_MS = 60_000;

/** Gives the user a file. It is bytes to the browser whatever is in it, so that nothing of it opens as a page of this server. */
export function download(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** One name without folders, marks that turn text around, or what some system forbids. */
export function fileName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "")
    .replace(/[/\\:*?"<>|]+/g, "-")
    .replace(/^[.\s-]+|[.\s]+$/g, "")
    .slice(-120);
  return plain === "" ? "file" : plain;
}
