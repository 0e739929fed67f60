import type { Io } from "../io.js";
import { begin, openerOf } from "./open-on-desktop.js";

/** Says where a page is, and opens it in the browser of the desktop if there is one and it is wanted. */
export async function openPage(url: string, opensBrowser: boolean, io: Io): Promise<void> {
  io.out.write(`${url}\n`);
  const opener = opensBrowser ? openerOf(process.platform, io.env) : null;
  if (opener === null) io.err.write("massgen: open the address above in a browser; Ctrl+C ends the server.\n");
  else if (!(await begin(opener, url, io.env)))
    io.err.write(`massgen: note: \`${opener}\` could not be started; open the address above yourself.\n`);
}
