/** What `massgen demo` asks when nobody asks anything else. */
export const DEMO_QUESTION =
  "Clients of our payment API repeat a request when it times out. How do we make sure that nobody is charged twice? We run PostgreSQL and Redis and charge cards through an external provider.";
