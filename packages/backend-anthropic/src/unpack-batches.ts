/**
 * The items of batches, one by one. A batch is awaited, its items are not: passing each through another generator would
 * cost more than reading it. Ends, throws and is closed as the batches are.
 */
export function unpackBatches<T>(batches: AsyncGenerator<readonly T[], void, undefined>): AsyncIterableIterator<T> {
  let batch: readonly T[] = [];
  let position = 0;
  async function refill(): Promise<IteratorResult<T>> {
    for (;;) {
      const { done, value } = await batches.next();
      if (done === true) return { done: true, value: undefined };
      if (value.length === 0) continue;
      batch = value;
      position = 1;
      return { done: false, value: value[0]! };
    }
  }
  return {
    next: () => (position < batch.length ? Promise.resolve({ done: false, value: batch[position++]! }) : refill()),
    async return() {
      position = batch.length;
      await batches.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
