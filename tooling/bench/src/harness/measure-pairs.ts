/** Pairs of measurements, taken in turn: A B A B …, so that what slows the machine slows both. */
export interface Pairs<Sample> {
  readonly ours: readonly Sample[];
  readonly floor: readonly Sample[];
}

export interface PairOptions {
  /** Default 9, never below 7 unless `quick` asks for a single one. */
  readonly pairs: number;
  readonly warmUps: number;
}

export const DEFAULT_PAIRS: PairOptions = { pairs: 9, warmUps: 1 };
/** One tiny pass, so that a benchmark does not rot; its times mean nothing. */
export const QUICK_PAIRS: PairOptions = { pairs: 1, warmUps: 0 };

export async function measurePairs<Sample>(
  ours: () => Promise<Sample>,
  floor: () => Promise<Sample>,
  { pairs, warmUps }: PairOptions,
): Promise<Pairs<Sample>> {
  const taken = { ours: [] as Sample[], floor: [] as Sample[] };
  for (let round = -warmUps; round < pairs; round++) {
    const a = await ours();
    const b = await floor();
    if (round < 0) continue;
    taken.ours.push(a);
    taken.floor.push(b);
  }
  return taken;
}

export interface PairFigures {
  /** Medians, for orientation. */
  readonly ours: number;
  readonly floor: number;
  /** Median, least and greatest of the pairwise ratios. */
  readonly ratio: number;
  readonly min: number;
  readonly max: number;
  readonly pairs: number;
}

/** The figures of one quantity of the samples. */
export function comparePairs<Sample>(pairs: Pairs<Sample>, quantity: (sample: Sample) => number): PairFigures {
  const ours = pairs.ours.map(quantity);
  const floor = pairs.floor.map(quantity);
  const ratios = ours.map((value, place) => value / (floor[place] ?? Number.NaN));
  return {
    ours: median(ours),
    floor: median(floor),
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    pairs: ours.length,
  };
}

/** The middle one; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("There is no median of nothing.");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
