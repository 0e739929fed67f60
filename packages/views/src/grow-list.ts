/**
 * A list that only grows. Appending costs O(1) and leaves older versions as they were, because each knows its own length;
 * a run of 300,000 facts can be folded without copying a list per fact.
 */
export interface GrowList<T> {
  readonly length: number;
  /** Shared with newer versions, so it may hold more than `length` items: read through `itemsOf`. */
  readonly shared: readonly T[];
}

export const emptyList: GrowList<never> = { length: 0, shared: [] };

export function appended<T>(list: GrowList<T>, item: T): GrowList<T> {
  const isNewest = list.length > 0 && list.shared.length === list.length;
  const shared = isNewest ? (list.shared as T[]) : list.shared.slice(0, list.length);
  // The one mutation: invisible to older versions, which never look past their own length.
  shared.push(item);
  return { length: shared.length, shared };
}

export const itemsOf = <T>(list: GrowList<T>): readonly T[] =>
  list.shared.length === list.length ? list.shared : list.shared.slice(0, list.length);

export const lastOf = <T>(list: GrowList<T>): T | undefined => list.shared[list.length - 1];
