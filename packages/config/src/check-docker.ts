import { quoteText } from "./describe.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, toValue } from "./tree.js";

/** Rules about commands in containers (docs/spec/config.md 6). */
export function checkDocker(backend: ConfigNode | undefined, reporter: Reporter): void {
  const network = child(backend, "command_line_docker_network_mode");
  if (network !== undefined && toValue(network) === "host" && !isTrue(child(backend, "allow_host_network")))
    reporter.report("CFG036", network, "the network of the host gives a container every service of this machine", {
      hint: "Use bridge, or add allow_host_network: true beside it.",
    });
  const credentials = child(backend, "command_line_docker_credentials");
  const all = child(credentials, "pass_all_env");
  if (isTrue(all))
    reporter.report("CFG071", all!, "'pass_all_env' passes the environment without what looks like a key", {
      on: "key",
      hint: "Name the keys that commands need in env_vars.",
    });
  checkMounts(child(credentials, "additional_mounts"), reporter);
  checkPackages(backend, reporter);
}

const isTrue = (node: ConfigNode | undefined): boolean => node !== undefined && toValue(node) === true;

function checkMounts(mounts: ConfigNode | undefined, reporter: Reporter): void {
  for (const [source, node] of mounts?.kind === "map" ? mounts.entries : []) {
    const target = node.kind === "map" ? child(node, "bind") : node;
    const value = target === undefined ? null : toValue(target);
    const mode = child(node, "mode");
    if (typeof value !== "string" || !value.startsWith("/"))
      reporter.report("CFG033", node, `the mount ${quoteText(source)} needs an absolute path to stand at in the container`, {
        on: "key",
        hint: `For example: ${source}: {bind: /data, mode: ro}`,
      });
    else if (mode !== undefined && !["ro", "rw"].includes(String(toValue(mode))))
      reporter.report("CFG036", mode, `${quoteText(String(toValue(mode)))} is not valid for 'mode'`, { hint: "Allowed: ro, rw." });
  }
}

/** What a name in a list of packages may be: it becomes an argument of pip, npm or apt-get. */
const PACKAGE = /^[@A-Za-z0-9][\w@./+~^<>=!,:[\]-]*$/;

function checkPackages(backend: ConfigNode | undefined, reporter: Reporter): void {
  const preinstall = child(child(backend, "command_line_docker_packages"), "preinstall");
  for (const list of preinstall?.kind === "map" ? preinstall.entries.values() : [])
    for (const item of list.kind === "list" ? list.items : []) {
      const name = toValue(item);
      if (typeof name === "string" && !PACKAGE.test(name)) reporter.report("CFG033", item, `${quoteText(name)} is no name of a package`);
    }
}
