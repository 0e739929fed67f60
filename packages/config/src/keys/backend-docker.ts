import { built, closed, free, ignored } from "../key-table.js";
import { anyOf, bool, map, memory, oneOf, positive, text, texts } from "../shapes.js";

export const credentialKeys = {
  mount: built(anyOf(["ssh_keys", "git_config", "gh_config", "npm_config", "pypi_config"])),
  additional_mounts: built(map, { keys: () => free }),
  env_file: built(text),
  env_vars: built(texts),
  env_vars_from_file: built(texts),
  pass_all_env: built(bool),
};
const credentials = closed("CFG042", "CFG033", credentialKeys);

export const preinstallKeys = { python: built(texts), npm: built(texts), system: built(texts) };
const preinstall = closed("CFG042", "CFG033", preinstallKeys);

const packages = closed("CFG042", "CFG033", {
  preinstall: built(map, { keys: () => preinstall }),
  auto_install_deps: ignored("docker", bool),
});

/** Commands in a container (docs/spec/config.md 6). */
export const dockerKeys = {
  command_line_docker_image: built(text),
  command_line_docker_memory_limit: built(memory, { code: "CFG036" }),
  command_line_docker_cpu_limit: built(positive),
  command_line_docker_network_mode: built(oneOf(["none", "bridge", "host"]), { code: "CFG036" }),
  command_line_docker_enable_sudo: built(bool),
  command_line_docker_credentials: built(map, { keys: () => credentials }),
  command_line_docker_packages: built(map, { keys: () => packages }),
  command_line_docker_pull: built(oneOf(["missing", "never", "always"]), { code: "CFG036" }),
  allow_host_network: built(bool),
};
