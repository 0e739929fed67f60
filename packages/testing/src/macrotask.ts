/** Lets `count` macrotasks pass. A message channel is the one macrotask that every web-standard runtime has without a timer. */
export async function takeTurns(count: number): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  try {
    for (let turn = 0; turn < count; turn++) {
      await new Promise<void>((resolve) => {
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    }
  } finally {
    port1.close();
  }
}
