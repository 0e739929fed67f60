import type { SimulatedApi } from "../request.js";

export interface DemoAgent {
  readonly id: string;
  readonly model: string;
  /** For screens. */
  readonly displayName: string;
  /** Which vendor API stands in between. */
  readonly api: SimulatedApi;
}

/** The three agents of the demo, behind the APIs of three vendors. Everything they are called says that they are simulated. */
export const demoTeam = (): readonly DemoAgent[] => [
  { id: "atlas", model: "simulated-atlas", displayName: "Atlas (simulated)", api: "responses" },
  { id: "birch", model: "simulated-birch", displayName: "Birch (simulated)", api: "messages" },
  { id: "cedar", model: "simulated-cedar", displayName: "Cedar (simulated)", api: "generate_content" },
];
