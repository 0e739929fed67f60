/** Where the built page lies, for the option `web` of `createServer`: `index.html` and what it loads. */
export const webFolder: URL = new URL("../page/", import.meta.url);
