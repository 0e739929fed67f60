/** Where results that are too long are kept, in the workspace of the agent that got them. */
export const RESULT_FOLDER = ".tool_results";
