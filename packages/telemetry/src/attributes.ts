import type { AgentCard } from "@massgen/contracts";

/** Names of vendors as the conventions for generative AI spell them; any other stays as it is. */
const PROVIDER: Readonly<Record<string, string>> = {
  openai: "openai",
  claude: "anthropic",
  gemini: "gcp.gemini",
  grok: "x_ai",
  azure_openai: "azure.ai.openai",
  mistral: "mistral_ai",
  bedrock: "aws.bedrock",
};

/** What says which model of which vendor it was. Nothing of what was said. */
export const modelAttributes = ({ backend, model }: Pick<AgentCard, "backend" | "model">): Record<string, string> => ({
  "gen_ai.provider.name": Object.hasOwn(PROVIDER, backend) ? PROVIDER[backend]! : backend,
  "gen_ai.request.model": model,
});

export const agentAttributes = ({ id, anon }: Pick<AgentCard, "id" | "anon">): Record<string, string> => ({
  "gen_ai.agent.id": anon,
  "gen_ai.agent.name": id,
});
