"""LiteLLM, unmodified, asks a team. The README beside says how the server is started."""

import os

import litellm

question = {
    # "openai/" tells LiteLLM the protocol, the rest names the team: "openai/massgen/<example>".
    "model": f"openai/{os.environ.get('MASSGEN_MODEL', 'massgen')}",
    "api_base": os.environ.get("MASSGEN_URL", "http://127.0.0.1:4000") + "/v1",
    "api_key": os.environ.get("MASSGEN_KEY", "not asked for"),
    "messages": [{"role": "user", "content": "Which cache policy fits a read-heavy API?"}],
    # A team works for minutes, and one that failed as a whole is not to be paid for twice.
    "timeout": 1800,
    "num_retries": 0,
    "max_retries": 0,
}

reply = litellm.completion(**question)
print("answer:", reply.choices[0].message.content)

trace, text = "", ""
for chunk in litellm.completion(**question, stream=True):
    delta = chunk.choices[0].delta
    trace += getattr(delta, "reasoning_content", None) or ""
    text += delta.content or ""
print("trace:", len(trace.split("\n")), "lines")
print("streamed:", text)
