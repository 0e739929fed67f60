import { describe, expect, it } from "vitest";
import { folderStamp, isoTime } from "../src/index.js";
import { clockTime, dateTime, utc } from "../src/local-time.js";

const at = Date.UTC(2026, 0, 1, 23, 15, 29, 880);

describe("local time", () => {
  it.each([
    [0, "2026-01-01T23:15:29.880+00:00", "20260101_231529_880000"],
    [60, "2026-01-02T00:15:29.880+01:00", "20260102_001529_880000"],
    [-210, "2026-01-01T19:45:29.880-03:30", "20260101_194529_880000"],
    [345, "2026-01-02T05:00:29.880+05:45", "20260102_050029_880000"],
  ])("%i minutes east", (minutes, iso, stamp) => {
    expect(isoTime(at, () => minutes)).toBe(iso);
    expect(Date.parse(iso)).toBe(at);
    expect(folderStamp(at, () => minutes)).toBe(stamp);
  });

  it("tells equal moments apart by microseconds, also across a second", () => {
    expect(folderStamp(at, utc, 7)).toBe("20260101_231529_880007");
    expect(folderStamp(Date.UTC(2026, 0, 1, 23, 59, 59, 999), utc, 1_000)).toBe("20260102_000000_000000");
  });

  it("keeps the microseconds of a clock that has them", () => expect(folderStamp(at + 0.25, utc)).toBe("20260101_231529_880250"));

  it("is short where a day is understood", () => {
    expect(clockTime(at, utc)).toBe("23:15:29");
    expect(dateTime(at, utc)).toBe("2026-01-01 23:15:29");
  });
});
