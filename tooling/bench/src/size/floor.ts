/**
 * The eight dependencies that the product names (openai, @anthropic-ai/sdk, @google/genai, @modelcontextprotocol/sdk, zod,
 * yaml, commander, fastify), installed alone. Measured once: an install needs a network, and a benchmark may not.
 */
export const namedDependencies = { packages: 191, megabytes: 90 } as const;
