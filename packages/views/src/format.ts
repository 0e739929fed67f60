/** `0.8 s`, `45.3 s`, `1 min 32 s`, `2 min`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const parts = hours > 0 ? [`${hours} h`, minutes > 0 ? `${minutes} min` : ""] : [`${minutes} min`, rest > 0 ? `${rest} s` : ""];
  return parts.join(" ").trim();
}

/** `12,345`, the same on every machine. */
export const formatCount = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");

/** `$0.0123`, `$1.50`; `unknown` for a price nobody knows. */
export const formatCost = (usd: number | null): string =>
  usd === null ? "unknown" : `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2)}`;

/** `1 vote`, `2 votes`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th")}`;
}
