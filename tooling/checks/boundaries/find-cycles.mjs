/**
 * Every group of nodes that reach each other, each as one walk around it: `["a", "b", "a"]`. Tarjan's algorithm, then a
 * shortest way back to the start, because a person mends a cycle by seeing one.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]}
 */
export function findCycles(graph) {
  /** @type {string[][]} */ const cycles = [];
  for (const group of stronglyConnected(graph)) {
    const [start] = [...group].sort();
    if (start === undefined) continue;
    const way = wayBack(graph, start, group);
    if (way !== null) cycles.push(way);
  }
  return cycles;
}

/** @param {ReadonlyMap<string, readonly string[]>} graph @returns {Set<string>[]} */
function stronglyConnected(graph) {
  /** @type {Map<string, number>} */ const order = new Map();
  /** @type {Map<string, number>} */ const low = new Map();
  /** @type {string[]} */ const stack = [];
  /** @type {Set<string>} */ const onStack = new Set();
  /** @type {Set<string>[]} */ const groups = [];
  /** @param {string} node @returns {number} */
  function visit(node) {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      const reach = !order.has(next) ? visit(next) : onStack.has(next) ? (order.get(next) ?? 0) : Number.POSITIVE_INFINITY;
      low.set(node, Math.min(low.get(node) ?? 0, reach));
    }
    if (low.get(node) === order.get(node)) {
      const group = new Set(stack.splice(stack.indexOf(node)));
      for (const member of group) onStack.delete(member);
      groups.push(group);
    }
    return low.get(node) ?? 0;
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return groups;
}

/** @param {ReadonlyMap<string, readonly string[]>} graph @param {string} start @param {ReadonlySet<string>} group @returns {string[] | null} */
function wayBack(graph, start, group) {
  /** @type {string[][]} */ const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, next];
      if (group.has(next) && !seen.has(next)) {
        seen.add(next);
        ways.push([...way, next]);
      }
    }
  }
  return null;
}
