"""OpenAI's own client for Python, unmodified, asks a team. The README beside says how the server is started."""

import os

from openai import OpenAI

url = os.environ.get("MASSGEN_URL", "http://127.0.0.1:4000")
model = os.environ.get("MASSGEN_MODEL", "massgen")
messages = [{"role": "user", "content": "Which cache policy fits a read-heavy API?"}]

# A team works for minutes, and one that failed as a whole is not to be paid for twice.
client = OpenAI(base_url=f"{url}/v1", api_key=os.environ.get("MASSGEN_KEY", "not asked for"), timeout=1800, max_retries=0)

reply = client.chat.completions.create(model=model, messages=messages)
print("answer:", reply.choices[0].message.content)
print("winner:", reply.model_extra["massgen_metadata"]["vote_results"]["winner"])

# What the team does comes as reasoning while it happens, then the final answer as it is written.
trace, text = "", ""
for chunk in client.chat.completions.create(model=model, messages=messages, stream=True):
    if not chunk.choices:
        continue
    delta = chunk.choices[0].delta
    trace += getattr(delta, "reasoning_content", None) or ""
    text += delta.content or ""
print("trace:", len(trace.split("\n")), "lines")
print("streamed:", text)

first = client.responses.create(model=model, input="Which cache policy fits a read-heavy API?")
second = client.responses.create(model=model, input="And for writes?", previous_response_id=first.id)
print("goes on:", second.output_text)
