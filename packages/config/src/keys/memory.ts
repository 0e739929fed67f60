import { closed, ignored, type KeyTable } from "../key-table.js";
import { bool, count, map, number, oneOf, share, text } from "../shapes.js";

const section = (keys: Parameters<typeof closed>[2]): KeyTable => closed("CFG044", "CFG092", keys);
const flag = ignored("memory", bool);
const word = ignored("memory", text);

const persistent = section({
  enabled: flag,
  on_disk: flag,
  path: word,
  agent_name: word,
  session_name: word,
  vector_store: ignored("memory", oneOf(["qdrant", "local"])),
  llm: ignored("memory", map, { keys: () => section({ provider: word, model: word, api_key: word }) }),
  embedding: ignored("memory", map, {
    keys: () => section({ provider: word, model: word, api_key: word, dimensions: ignored("memory", count) }),
  }),
  qdrant: ignored("memory", map, {
    keys: () => section({ mode: ignored("memory", oneOf(["server", "local"])), host: word, port: ignored("memory", number), path: word }),
  }),
});

const compression = section({ trigger_threshold: ignored("memory", share), target_ratio: ignored("memory", share) });

/** docs/spec/config.md 17. */
export const memoryTable: KeyTable = section({
  enabled: flag,
  conversation_memory: ignored("memory", map, { keys: () => section({ enabled: flag }) }),
  persistent_memory: ignored("memory", map, { keys: () => persistent }),
  compression: ignored("memory", map, { keys: () => compression }),
  retrieval: ignored("memory", map, { keys: () => section({ limit: ignored("memory", count), exclude_recent: flag }) }),
  recording: ignored("memory", map, { keys: () => section({ record_all_tool_calls: flag, record_reasoning: flag }) }),
});

export const filesystemMemoryTable: KeyTable = section({ enabled: flag, compression: ignored("memory", map, { keys: () => compression }) });
