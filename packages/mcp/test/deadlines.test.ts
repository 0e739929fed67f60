import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeadlines } from "../src/connection/deadlines.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const started = (ms: number) => {
  const deadlines = createDeadlines();
  const onLate = vi.fn();
  return { deadlines, onLate, deadline: deadlines.start(ms, onLate) };
};

it("a call is late after its time, and never after its end", () => {
  const { onLate } = started(100);
  vi.advanceTimersByTime(99);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onLate).toHaveBeenCalledOnce();
  const ended = started(100);
  ended.deadline.end();
  vi.advanceTimersByTime(1_000);
  expect(ended.onLate).not.toHaveBeenCalled();
});

it("T5.6: progress starts the time anew, ten times as long in all", () => {
  const { deadline, onLate } = started(100);
  for (let at = 0; at < 999; at += 90) {
    vi.advanceTimersByTime(90);
    deadline.progressed();
  }
  expect(onLate).toHaveBeenCalledOnce();
});

it("stands still while a person is asked, however long, and begins anew afterwards", () => {
  const { deadlines, deadline, onLate } = started(100);
  vi.advanceTimersByTime(90);
  const goOn = [deadlines.pause(), deadlines.pause()];
  deadline.progressed();
  const other = vi.fn();
  deadlines.start(50, other);
  vi.advanceTimersByTime(3_600_000);
  goOn[0]!();
  vi.advanceTimersByTime(3_600_000);
  expect([onLate, other].flatMap(({ mock }) => mock.calls)).toEqual([]);
  goOn[1]!();
  vi.advanceTimersByTime(50);
  expect(other).toHaveBeenCalledOnce();
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(onLate).toHaveBeenCalledOnce();
});
