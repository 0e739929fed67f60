import type { Recorded } from "@massgen/contracts";
import { formatDuration } from "@massgen/views";
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { readFacts } from "../run/read-facts.js";
import { openTape, type Tape } from "../run/tape.js";
import { useClient } from "../server/server.js";
import { useText } from "../text/texts.js";
import { Agents } from "./agents.js";
import { Loading } from "./loading.js";
import { Problem } from "./problem.js";
import { Timeline } from "./timeline.js";
import { Votes } from "./votes.js";

const SPEEDS = [1, 4, 20, 100] as const;
const TICK_MS = 100;

/** A run as it was at any of its facts: a slider, steps, and playing at several speeds. */
export function Replay({ id, lastSeq }: { readonly id: string; readonly lastSeq: number }) {
  const client = useClient();
  const [records, setRecords] = useState<readonly Recorded[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  // What had happened when it was opened; a run that goes on is replayed up to there.
  const [until] = useState(lastSeq);
  useEffect(() => {
    const gone = new AbortController();
    readFacts(client, id, until, gone.signal).then(setRecords, (cause: unknown) => {
      if (!gone.signal.aborted) setError(cause);
    });
    return () => gone.abort();
  }, [client, id, until]);
  const tape = useMemo(() => (records === null ? null : openTape(records)), [records]);
  if (error !== null) return <Problem error={error} />;
  return tape === null ? <Loading /> : <Player tape={tape} />;
}

function Player({ tape }: { readonly tape: Tape }) {
  const t = useText();
  const [count, setCount] = useState(tape.length);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>(20);
  const [isPlaying, setIsPlaying] = useState(false);
  const isAtEnd = count >= tape.length;
  useEffect(() => {
    if (!isPlaying) return;
    let ms = tape.timeOf(count);
    const timer = setInterval(() => {
      ms += TICK_MS * speed;
      const next = tape.countAt(ms);
      setCount(next);
      if (next >= tape.length) setIsPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
    // Played from wherever it was begun; what it plays must not begin it anew.
  }, [isPlaying, speed, tape]);
  const play = (): void => {
    if (isAtEnd) setCount(0);
    setIsPlaying(!isPlaying);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== " " || event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    play();
  };
  const live = useMemo(() => tape.at(count), [tape, count]);
  const watched = useMemo(() => ({ live, connection: "over", error: null, lastFact: null }) as const, [live]);
  const step = (by: number): void => {
    setIsPlaying(false);
    setCount(Math.max(0, Math.min(tape.length, count + by)));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the space bar plays, wherever in the controls one is */}
      <div className="card replay" onKeyDown={press}>
        <label htmlFor="replay-at">{t("replay.at", { count, of: tape.length, time: formatDuration(tape.timeOf(count)) })}</label>
        <input
          id="replay-at"
          type="range"
          min={0}
          max={tape.length}
          value={count}
          onChange={({ target }) => {
            setIsPlaying(false);
            setCount(Number(target.value));
          }}
        />
        <div className="actions">
          {/* Not disabled at the ends: that would take the keyboard away from whoever steps. */}
          <button type="button" onClick={() => step(-1)} aria-disabled={count === 0}>
            {t("replay.back")}
          </button>
          <button type="button" className="primary" onClick={play}>
            {t(isPlaying ? "replay.pause" : "replay.play")}
          </button>
          <button type="button" onClick={() => step(1)} aria-disabled={isAtEnd}>
            {t("replay.next")}
          </button>
          <label>
            {t("replay.speed")}{" "}
            <select value={speed} onChange={({ target }) => setSpeed(SPEEDS.find((one) => one === Number(target.value)) ?? 1)}>
              {SPEEDS.map((one) => (
                <option key={one} value={one}>
                  ×{one}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <Agents watched={watched} nowMs={0} />
      <h3>{t("tab.votes")}</h3>
      <Votes view={live.view} />
      <h3>{t("tab.timeline")}</h3>
      <Timeline moments={live.moments} />
    </>
  );
}
