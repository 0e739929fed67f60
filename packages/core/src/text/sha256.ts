/**
 * SHA-256 of the UTF-8 bytes of `text`, as 64 lower-case hexadecimal digits.
 *
 * Written out instead of asking `crypto.subtle`, which answers from another thread: a round would then depend on real
 * time between two facts, and a run on a virtual clock would no longer be the same every time.
 */
export function sha256(text: string): string {
  const blocks = paddedBlocks(new TextEncoder().encode(text));
  const hash = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64) mix(hash, schedule, blocks, offset);
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The message, a one bit, zeros, and its length in bits: a multiple of 64 bytes. */
function paddedBlocks(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(length - 4, (message.length << 3) >>> 0);
  return view;
}

function mix(hash: Uint32Array, schedule: Uint32Array, blocks: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!;
    const late = schedule[i - 2]!;
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = schedule[i - 16]! + s0 + schedule[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + ROUND[i]! + schedule[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + s0 + majority) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + word;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

const PRIMES: readonly number[] = firstPrimes(64);
/** Fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const INITIAL: readonly number[] = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND: readonly number[] = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x1_0000_0000) >>> 0;
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}
