// Imported first by every script that starts on a bare machine. Written for any Node with modules, so that an old one
// gets a sentence and not a syntax error: no top-level await, nothing younger than ES2017.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(String(readFileSync(new URL("../../package.json", import.meta.url))));
const wanted = manifest.engines.node.replace(">=", "");

/** @param {string} version */
const numbers = (version) => version.replace(/^v/, "").split(".").map(Number);
const [have, need] = [numbers(process.version), numbers(wanted)];
const difference = have.map((part, index) => part - (need[index] || 0)).find((part) => part !== 0);

if (difference !== undefined && difference < 0) {
  console.error(`MassGen needs Node ${wanted} or later; this is Node ${process.version} (${process.execPath}).`);
  console.error("Install a current release, for instance with your version manager: nvm install, fnm use, or volta install node@22.");
  process.exit(1);
}
