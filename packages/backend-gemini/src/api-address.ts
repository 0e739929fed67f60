import { type BaseUrl, tidyBaseUrl } from "@massgen/backend-kit";

/** Where the API is: the SDK puts the version between the two. */
export interface ApiAddress extends BaseUrl {
  /** `v1beta`, unless the address names another. */
  readonly version: string;
}

export const GOOGLE_ADDRESS = "https://generativelanguage.googleapis.com";
const DEFAULT_VERSION = "v1beta";

/**
 * Makes the many ways of writing a base address into one: with or without the version, `/models/…` or, at Google itself, the
 * path of the API that imitates OpenAI's.
 * @throws MassgenError `CONFIG_INVALID` when it is empty or no http address.
 */
export function apiAddress(text: string): ApiAddress {
  const tidied = tidyBaseUrl(text, { apiPath: "/models", defaultPath: "" });
  const isGoogle = new URL(tidied.href).hostname.endsWith("googleapis.com");
  const path = tidied.href.replace(/\/models\/[^/]+(?::\w+)?$/, "").replace(isGoogle ? /\/openai$/ : "", "");
  const [, base = path, version = DEFAULT_VERSION] = /^(.*)\/(v\d+(?:alpha|beta)?\d*)$/.exec(path) ?? [];
  return { ...tidied, href: base, version };
}
