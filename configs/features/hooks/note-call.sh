# One line of JSON for each call, in tool-calls.jsonl of the user's home. Says nothing: the call goes on.
cat >> "$HOME/tool-calls.jsonl"
