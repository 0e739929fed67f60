export { axeSource, chromiumPath, launch } from "./chromium.js";
export { HOSTILE } from "./hostile.js";
