import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";

describe("MassgenError", () => {
  it("carries what to switch on, what to show and what to keep", () => {
    const cause = new Error("ENOENT");
    const error = new MassgenError("CONFIG_NOT_FOUND", "There is no team.yaml.", {
      hint: "Name one.",
      exitCode: 1,
      cause,
      issues: [1],
      partial: { answer: "x" },
    });
    expect(error).toMatchObject({
      name: "MassgenError",
      code: "CONFIG_NOT_FOUND",
      message: "There is no team.yaml.",
      hint: "Name one.",
      exitCode: 1,
      cause,
      issues: [1],
      partial: { answer: "x" },
    });
    expect(error).toBeInstanceOf(Error);
  });

  it("is a failure of execution without a hint unless it says otherwise, and has no cause that was not given", () => {
    const error = new MassgenError("RUN_FAILED", "No agent produced an answer.");
    expect(error).toMatchObject({ hint: "", exitCode: 2, issues: [], partial: null });
    expect("cause" in error).toBe(false);
  });

  it("is known across two installs of the package, by its code too", async () => {
    const copy = class extends Error {
      readonly code = "RUN_TIMEOUT";
    };
    const other = Object.defineProperty(new copy("from another install"), Symbol.for("massgen.error"), { value: true });
    expect(MassgenError.is(other)).toBe(true);
    expect(MassgenError.is(other, "RUN_TIMEOUT")).toBe(true);
    expect(MassgenError.is(other, "RUN_FAILED")).toBe(false);
  });

  it.each([new Error("plain"), null, undefined, "RUN_FAILED", { code: "RUN_FAILED" }])("is not %s", (value) =>
    expect(MassgenError.is(value)).toBe(false),
  );

  it("keeps its brand out of what is logged", () => {
    expect(JSON.stringify(new MassgenError("USAGE", "m"))).not.toContain("brand");
    expect(Object.keys(new MassgenError("USAGE", "m"))).not.toContain("massgen.error");
  });
});
