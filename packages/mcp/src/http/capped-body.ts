const LONGEST_MESSAGE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * The same response; its body breaks off where one message, an event of a stream or the whole of a plain answer, is too
 * long. `onBroken` is told when it does, for whatever reason.
 */
export function cappedBody(response: Response, onBroken: (reason: string) => void): Response {
  if (response.body === null) return response;
  const count = messageCounter(response.headers.get("content-type")?.includes("text/event-stream") === true);
  const reader = response.body.getReader();
  let isLetGo = false;
  const fail = (error: Error, controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.error(error);
    onBroken(error.message);
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const read = await reader.read().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      // Whoever lets go of a body has what they want of it.
      if (isLetGo) return;
      if (read instanceof Error) return fail(read, controller);
      if (read.done) return controller.close();
      if (count(read.value) <= LONGEST_MESSAGE_BYTES) return controller.enqueue(read.value);
      void reader.cancel().catch(() => {});
      fail(new Error(`it sent a message of more than ${LONGEST_MESSAGE_BYTES / 1024 / 1024} MiB; the connection was closed`), controller);
    },
    cancel(reason) {
      isLetGo = true;
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/** Bytes of the message that a chunk belongs to, with it. An empty line ends an event of a stream. */
function messageCounter(isStream: boolean): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isLineEmpty = true;
  return (chunk) => {
    if (!isStream) {
      bytes += chunk.length;
      return bytes;
    }
    for (const byte of chunk) {
      bytes += 1;
      if (byte === NEWLINE) {
        if (isLineEmpty) bytes = 0;
        isLineEmpty = true;
      } else if (byte !== RETURN) isLineEmpty = false;
    }
    return bytes;
  };
}
