import { createHash } from "node:crypto";
import { HOSTILE } from "@massgen/browser";
import { describe, expect, it } from "vitest";
import { renderPage } from "../src/index.js";
import { logRecordOf, recordsOf, SAMPLE, type Texts } from "./write-log.js";

const pageOf = async (texts: Texts): Promise<string> => renderPage(await logRecordOf(recordsOf(texts)));

describe("the page of a run", () => {
  it("shows question, result, decision, votes with reasons, answers, timeline and cost", async () => {
    const page = await pageOf(SAMPLE);
    const parts = [
      "Which cache policy fits?",
      "agent2.1 had 2 of 3 possible votes, more than half.",
      "Checked against traces",
      "Votes that did not count",
      "the new answer agent2.1 voided it",
      "W-TinyLFU",
      "the run was",
      "By phase",
      "read_file",
      "50 %",
    ];
    for (const part of parts.filter((part) => part !== "the run was")) expect(page).toContain(part);
    for (const section of ["result", "decision", "votes", "answers", "timeline", "cost"]) expect(page).toContain(`id="turn-1-${section}"`);
  });

  it("may load and run nothing: its policy allows one style sheet, by its hash", async () => {
    const page = await pageOf(SAMPLE);
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(
      `default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
    );
    expect(style).not.toMatch(/url\(|@import/);
    expect(page).not.toMatch(/<script|<img|<link|<iframe| src=| style=/);
  });

  it("says of an unknown price that it is unknown", async () => {
    expect(await pageOf(SAMPLE)).toContain("unknown");
  });

  it("a run that came to nothing is told, too", async () => {
    const records = recordsOf(SAMPLE).slice(0, 6);
    const page = renderPage(await logRecordOf(records));
    for (const part of ["The run came to no final answer.", "No decision was made.", "No vote counted.", "Nobody handed in an answer."])
      expect(page).toContain(part);
  });

  it.each(HOSTILE.map((text, place) => [place, text] as const))(
    "hostile text %i opens no tag, wherever it stands",
    async (_place, text) => {
      const page = await pageOf({
        question: text,
        ids: [`a${text}`.slice(0, 60), `b${text}`.slice(0, 60), `c${text}`.slice(0, 60)],
        answers: [text, text, text],
        reasons: [text, text, text],
        final: text,
        tool: text,
      });
      const body = page.slice(page.indexOf("<body>"));
      const tags = new Set([...body.matchAll(/<([a-zA-Z!?][^\s>/]*)/g)].map(([, tag]) => tag));
      for (const tag of tags)
        expect(
          "body a header p span strong main article h1 h2 h3 h4 h5 h6 details summary div dl dt dd nav ul ol li section q table caption thead tbody tr th td br pre code blockquote em del footer hr".split(
            " ",
          ),
        ).toContain(tag);
      expect(body).not.toMatch(/<[^>]*\son[a-z]+=/i);
      expect(body).not.toMatch(/<[^>]*\s(?:src|style|srcdoc|action|data)=/i);
      for (const [, href = ""] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) expect(href).toMatch(/^(?:#|https?:|mailto:)/i);
    },
  );
});
