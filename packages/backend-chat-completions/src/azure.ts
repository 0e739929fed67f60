import type { BaseUrl } from "@massgen/backend-kit";
import type { JsonValue } from "@massgen/contracts";

const DEFAULT_API_VERSION = "2024-12-01-preview";

/**
 * Where a deployment of Azure OpenAI answers: below `/openai/deployments/<deployment>`, with `api-version` in the query.
 * `deployment_name` wins over the model. An endpoint that ends in `/openai/v1` speaks the plain API and stays.
 */
export function azureAddress(endpoint: BaseUrl, model: string, params: Readonly<Record<string, JsonValue>>): BaseUrl {
  if (/\/openai\/v1$|\/deployments\//.test(endpoint.href)) return endpoint;
  const deployment = textOr(params["deployment_name"], model);
  return {
    ...endpoint,
    href: `${endpoint.href.replace(/\/openai$/, "")}/openai/deployments/${encodeURIComponent(deployment)}`,
    query: { "api-version": textOr(params["api_version"], DEFAULT_API_VERSION), ...endpoint.query },
  };
}

function textOr(value: JsonValue | undefined, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
