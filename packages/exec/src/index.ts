export { type ContainerOptions, createContainer } from "./container/container.js";
export { type ContainerNetwork, type ContainerSettings, type ExtraMount, refusedSource } from "./container/container-args.js";
export { type ContainerFinding, type FindContainerToolOptions, findContainerTool } from "./container/find-container-tool.js";
export { type ContainerTool, type Preinstall, type ReadyImageOptions, readyImage } from "./container/ready-image.js";
export {
  type ChildEnvironment,
  childEnvironment,
  type EnvironmentOptions,
  isNeverPassed,
  isSecretName,
  type OwnEnvironmentOptions,
  ownEnvironment,
  personalEnvironment,
} from "./env/child-environment.js";
export {
  createJobQuota,
  createJobTable,
  type JobQuota,
  type JobState,
  type JobTable,
  type JobTableOptions,
  type JobView,
  type StartJob,
} from "./jobs/job-table.js";
export type { LinesRead } from "./jobs/line-log.js";
export { cleanText } from "./output/clean-text.js";
export { type Described, type DescribeOptions, describeResult } from "./output/describe-result.js";
export type { Captured } from "./process/capture.js";
export { defaultLimits, type ProcessLimits } from "./process/gate.js";
export type { Output, SpillPlace, StreamName } from "./process/output.js";
export {
  type EndedBy,
  type ProcessOptions,
  type ProcessResult,
  type RunningProcess,
  runProcess,
  startProcess,
} from "./process/start-process.js";
export { killEverythingNow } from "./process/watchdog.js";
export { type BubblewrapOptions, createBubblewrap } from "./sandbox/bubblewrap.js";
export { type CommandAccess, judgeCommandAccess, type SandboxSetting } from "./sandbox/command-access.js";
export { type FindSandboxOptions, findSandbox, type SandboxFinding } from "./sandbox/find-sandbox.js";
export type { PreparedCommand, Sandbox, SandboxedCommand, SandboxKind, SandboxReport, Walls } from "./sandbox/sandbox.js";
export { type Standing, type Survey, surveyGrant } from "./sandbox/survey-grant.js";
export { createUnsandboxed } from "./sandbox/unsandboxed.js";
export { type CommandRequest, type CommandRunner, type CommandRunnerOptions, createCommandRunner } from "./tools/command-runner.js";
export { createExecuteCommand, type ExecuteCommandOptions } from "./tools/execute-command.js";
export { createJobTools } from "./tools/job-tools.js";
