/** Asks a person once whether agents may run commands although nothing can confine them; `reason`: why nothing can. */
export type AllowUnconfined = (reason: string) => Promise<boolean>;
