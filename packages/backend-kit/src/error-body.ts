/** Error bodies are read as far as anybody will look at them. */
const LONGEST_ERROR_BODY = 65_536;

/** The beginning of a body that will not be parsed as an answer, at most 64 Ki characters; never rejects. */
export async function readErrorBody(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < LONGEST_ERROR_BODY) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  } catch {
    // The status is known, and says more than a torn body.
    return text;
  } finally {
    reader.cancel().catch(() => {});
  }
}
