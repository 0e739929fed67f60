import ipaddr from "ipaddr.js";
import type { UrlRules } from "../grants.js";

/** Cloud credentials behind addresses that look public. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16", "fd00:ec2::254", "100.100.100.200"]);

/**
 * What is wrong with an address, or `null` for one that may be connected to. IPv4 inside IPv6 (mapped, NAT64, 6to4,
 * compatible) counts as what it holds. Whoever resolves a name asks for every address, connects to one that was asked for,
 * and asks again after every redirect (docs/spec/tools.md 7, S10).
 */
export function addressFault(address: string, rules: UrlRules): string | null {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!ipaddr.isValid(bare)) return "is no address";
  return faultOf(ipaddr.parse(bare), rules.allowedNetworks ?? []);
}

function faultOf(address: ipaddr.IPv4 | ipaddr.IPv6, allowed: readonly string[]): string | null {
  if (METADATA.has(address.toString())) return "serves credentials";
  const inner = address.kind() === "ipv6" ? innerOf(address as ipaddr.IPv6) : null;
  if (inner !== null) return faultOf(inner, allowed);
  const range = address.range();
  if (range === "loopback") return allowed.includes("loopback") ? null : "is this machine";
  if (range === "private" || range === "uniqueLocal") return allowed.includes("private") ? null : "is in a private network";
  if (range !== "unicast") return `is no public address (${range})`;
  return address.kind() === "ipv6" && !isGlobal(address as ipaddr.IPv6) ? "is no public address" : null;
}

const isGlobal = (address: ipaddr.IPv6): boolean => (address.parts[0]! & 0xe000) === 0x2000;

/** The IPv4 address that an IPv6 address stands for, or `null`. */
function innerOf(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const { parts } = address;
  const last = (): ipaddr.IPv4 => fromParts(parts[6]!, parts[7]!);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (parts[0] === 0x2002) return fromParts(parts[1]!, parts[2]!);
  if (parts[0] === 0x64 && parts[1] === 0xff9b) return last();
  if (parts[0] === 0x2001 && parts[1] === 0) return fromParts(parts[6]! ^ 0xffff, parts[7]! ^ 0xffff);
  const compatible = parts.slice(0, 6).every((part) => part === 0) && (parts[6] !== 0 || parts[7]! > 1);
  const translated = parts.slice(0, 4).every((part) => part === 0) && parts[4] === 0xffff && parts[5] === 0;
  return compatible || translated ? last() : null;
}

const fromParts = (high: number, low: number): ipaddr.IPv4 => new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
