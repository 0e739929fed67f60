/** Small configs for `--show-schema --with-examples`; a test checks each of them. */
export const schemaExamples: readonly { readonly title: string; readonly yaml: string }[] = [
  {
    title: "One agent",
    yaml: `agents:
  - id: solo
    backend:
      type: openai
      model: gpt-5-mini
`,
  },
  {
    title: "A team of three that must agree",
    yaml: `agents:
  - {id: ada, backend: {type: openai, model: gpt-5-mini}}
  - {id: bob, backend: {type: claude, model: claude-haiku-4-5}}
  - {id: eve, backend: {type: gemini, model: gemini-2.5-flash}}
orchestrator:
  voting_sensitivity: strict
  max_new_answers_per_agent: 3
  convergence_threshold: 0.66
timeout_settings:
  orchestrator_timeout_seconds: 900
`,
  },
  {
    title: "A server of your own, a key from the environment, a limit on spending",
    yaml: `agents:
  - id: local
    backend:
      type: chatcompletion
      base_url: http://localhost:8000/v1
      model: my-model
  - id: vendor
    backend:
      type: openrouter
      model: openai/gpt-5-nano
      api_key: \${OPENROUTER_API_KEY:-}
orchestrator:
  budget:
    max_total_cost_usd: 0.5
`,
  },
];
