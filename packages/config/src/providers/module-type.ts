/**
 * True for a `backend.type` that names a module which makes the adapter, instead of a provider: `npm:<package>`,
 * `@scope/package`, or a path that begins with `./`, `../` or `/`. A bare word stays a provider, so that a slip of the
 * pen is told and never loaded.
 */
export function namesModule(type: string): boolean {
  return /^(?:npm:(?:@[^\s/@]+\/)?[^\s/@.]|@[^\s/@]+\/[^\s/@]|\.{1,2}\/\S|\/\S)/.test(type.trim());
}
