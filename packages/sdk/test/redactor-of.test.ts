import { describe, expect, it } from "vitest";
import { environmentSecrets, redactorOf } from "../src/redactor-of.js";

describe("taking the secrets of a run out of a text", () => {
  const redact = redactorOf(["sk-real-key-1234567890", 'quo"ted-secret-42']);

  it("finds them as they are and escaped in JSON", () => {
    expect(redact("key sk-real-key-1234567890.")).toBe("key [REDACTED].");
    expect(redact(JSON.stringify({ error: 'got quo"ted-secret-42' }))).toBe('{"error":"got [REDACTED]"}');
  });

  it("leaves examples in answers alone", () => {
    const answer = "Send `Authorization: Bearer abcdef1234567890abcdef` or sk-your-key-here-0000000000.";
    expect(redact(answer)).toBe(answer);
  });

  it("without secrets a text stays as it is", () => {
    expect(redactorOf([])("sk-real-key-1234567890")).toBe("sk-real-key-1234567890");
  });
});

describe("secrets of the environment", () => {
  it("are told by their names, and the working folder is none", () => {
    const env = {
      OPENAI_API_KEY: "sk-real-key-1234567890",
      DB_PWD: "hunter2hunter2",
      PWD: "/home/ada/project",
      OLDPWD: "/home/ada",
      HOME: "/home/ada",
    };
    expect(environmentSecrets(env)).toEqual(["sk-real-key-1234567890", "hunter2hunter2"]);
  });
});
