/** The reason with which our own waits are called off: the default one is an error whose stack costs more than the wait. */
export const OVER = "no longer waited for";
