import { fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PacedText, VendorAddresses } from "./vendor-process.js";

export interface Vendor {
  readonly addresses: VendorAddresses;
  close(): Promise<void>;
}

/** The fake vendor in a process of its own. */
export async function openVendor(text: PacedText): Promise<Vendor> {
  const own = extname(fileURLToPath(import.meta.url));
  const child = fork(fileURLToPath(new URL(`./vendor-process${own}`, import.meta.url)), [JSON.stringify(text)]);
  const exit = once(child, "exit");
  const addresses = await Promise.race([
    once(child, "message"),
    exit.then(() => Promise.reject(new Error("The fake vendor did not start."))),
  ]);
  return {
    addresses: addresses[0] as VendorAddresses,
    async close() {
      child.disconnect();
      await exit;
    },
  };
}
