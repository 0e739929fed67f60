export { editEnv, storeKeys } from "./edit-env.js";
export { type EnvFile, type EnvPlace, parseEnvFile } from "./env-file.js";
export { shortNameOf } from "./find-example.js";
export { loadConfig } from "./load-config.js";
export { type EnvWarning, type LoadEnvOptions, type LoadedEnv, loadEnv } from "./load-env.js";
export { loadRateLimits } from "./load-rate-limits.js";
export { examplePaths, type LocatedConfig, type LocateOptions, locateConfig } from "./locate-config.js";
export { missingPaths } from "./missing-paths.js";
export { type WriteWholeOptions, writeWhole } from "./write-file.js";
