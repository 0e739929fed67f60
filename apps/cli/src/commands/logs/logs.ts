import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";

/** `massgen logs`: each of its verbs is loaded when it is asked for. */
export async function showLogs(request: LogsRequest, io: Io): Promise<ExitCode> {
  switch (request.verb) {
    case "list":
      return (await import("./list.js")).listRuns(request, io);
    case "summary":
      return (await import("./summary.js")).summarise(request, io);
    case "tools":
      return (await import("./tools.js")).listTools(request, io);
    case "open":
      return (await import("./open.js")).openLog(request, io);
    case "grep":
      return (await import("./grep.js")).searchLogs(request, io);
    case "import":
      return (await import("./import.js")).importForeign(request, io);
    case "analyze":
      return (await import("./analyze.js")).printAnalysisPrompt(request, io);
  }
}
