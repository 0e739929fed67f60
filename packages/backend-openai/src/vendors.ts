import type { JsonObject } from "./json.js";

/** What is particular about one vendor of this API. */
export interface Vendor {
  /** The name people know. */
  readonly name: string;
  readonly baseUrl: string;
  /** Where the system text goes. xAI refused `instructions` for a long time (seen 2025-11); a message works everywhere. */
  readonly systemText: "instructions" | "message";
  /** The results of tools may hold images and files, not only text. */
  readonly mediaInResults: boolean;
  readonly pdf: boolean;
  /** Tools the vendor runs itself, by the option that turns them on. */
  readonly builtInTools: Readonly<Record<string, JsonObject>>;
  /** What is asked for beside the answer when a built-in tool is on, by the type of the tool. */
  readonly includes: Readonly<Record<string, string>>;
}

const codeInterpreter: JsonObject = { type: "code_interpreter", container: { type: "auto" } };
const openai: Vendor = {
  name: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  systemText: "instructions",
  mediaInResults: true,
  pdf: true,
  builtInTools: {
    enable_web_search: { type: "web_search" },
    enable_code_interpreter: codeInterpreter,
    enable_code_execution: codeInterpreter,
  },
  includes: { web_search: "web_search_call.action.sources", code_interpreter: "code_interpreter_call.outputs" },
};

/** Every provider type that speaks Responses (docs/spec/backends.md 2). Which variable holds a key is not known here. */
export const vendors: Readonly<Record<string, Vendor>> = {
  openai,
  grok: {
    ...openai,
    name: "Grok",
    baseUrl: "https://api.x.ai/v1",
    systemText: "message",
    mediaInResults: false,
    pdf: false,
    builtInTools: {
      enable_web_search: { type: "web_search" },
      enable_x_search: { type: "x_search" },
      enable_code_execution: { type: "code_interpreter" },
      enable_code_interpreter: { type: "code_interpreter" },
    },
    includes: {},
  },
};
