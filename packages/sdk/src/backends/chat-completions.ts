import { adapterOptions, type BackendOrder, type CreateBackend, organizationHeader } from "./order.js";

type ChatCompletionsOptions = Parameters<typeof import("@massgen/backend-chat-completions")["createChatCompletions"]>[0];

export async function chatCompletions(): Promise<CreateBackend> {
  const { createChatCompletions } = await import("@massgen/backend-chat-completions");
  return (order) => createChatCompletions(chatCompletionsOptions(order));
}

/** A deployment of Azure is named in the path and its version in the query, so both are the adapter's. */
function chatCompletionsOptions(order: BackendOrder): ChatCompletionsOptions {
  const { config, env } = order;
  const options = adapterOptions(order);
  const apiVersion = config.apiVersion ?? (config.type === "azure_openai" ? env["AZURE_OPENAI_API_VERSION"] : undefined);
  return {
    ...options,
    ...organizationHeader(config),
    params: {
      ...options.params,
      ...(apiVersion ? { api_version: apiVersion } : {}),
      ...(config.deploymentName === null ? {} : { deployment_name: config.deploymentName }),
    },
  };
}
