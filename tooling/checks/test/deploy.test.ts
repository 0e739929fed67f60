import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly lines: readonly string[];
}

/** Continued lines joined, comments left out; one list for each `FROM … AS …`. */
function stagesOf(dockerfile: string): Stage[] {
  const stages: { name: string; from: string; lines: string[] }[] = [];
  for (const line of dockerfile.replaceAll(/\\\n\s*/g, "").split("\n")) {
    const [, from, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (from !== undefined && name !== undefined) stages.push({ name, from, lines: [] });
    else if (line !== "" && !line.startsWith("#")) stages.at(-1)?.lines.push(line);
  }
  return stages;
}

interface Service {
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly hostname?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

const stages = stagesOf(text("deploy/Dockerfile"));
const stage = (name: string): Stage => {
  const found = stages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`deploy/Dockerfile has no stage ${name}`);
  return found;
};
/** All lines that hold for an image: its own and those of the stages it is made from. */
const linesOf = (name: string): string[] => {
  const own = stage(name);
  return stages.some((one) => one.name === own.from) ? [...linesOf(own.from), ...own.lines] : [...own.lines];
};
const services: Readonly<Record<string, Service>> = parse(text("compose.yaml"), { merge: true }).services;

describe("the images", () => {
  it.each(["cli", "server", "worker"])("%s runs as nobody in particular, from a build stage it leaves behind", (name) => {
    const lines = linesOf(name);
    expect(lines.findLast((line) => line.startsWith("USER "))).toBe("USER 1000:1000");
    expect(lines).toContain("COPY --from=build /opt/massgen /opt/massgen");
    expect(lines.filter((line) => /^COPY (?!--from)/.test(line))).toEqual([]);
    expect(lines.findLast((line) => line.startsWith("ENTRYPOINT"))).toBe('ENTRYPOINT ["tini", "--", "massgen"]');
  });

  it("name a version of everything they begin with, and pnpm as package.json does", () => {
    for (const { from } of stages) if (!stages.some((one) => one.name === from)) expect(from).toMatch(/^node:\d+-\w+-slim$/);
    const { packageManager } = JSON.parse(text("package.json"));
    const named = stage("build")
      .lines.join("\n")
      .match(/pnpm@\S+/g);
    expect(new Set(named)).toEqual(new Set([packageManager]));
  });

  it("hold no key", () => {
    expect(text("deploy/Dockerfile")).not.toMatch(/^(ENV|ARG) .*(KEY|TOKEN|PASSWORD|SECRET)/m);
    expect(text(".dockerignore").split("\n")).toEqual(expect.arrayContaining([".env", ".env.*", ".git", "**/node_modules"]));
  });

  it("the server asks its own health with a command that node understands", () => {
    const check = stage("server").lines.find((line) => line.startsWith("HEALTHCHECK"));
    const [program, flag, code] = JSON.parse(check?.slice(check.indexOf("[")) ?? "[]");
    expect([program, flag]).toEqual(["node", "-e"]);
    expect(() => new Function(code)).not.toThrow();
    expect(code).toContain("/health");
  });
});

describe("compose.yaml", () => {
  it("builds the images that there are", () => {
    expect(Object.keys(services).toSorted()).toEqual(["postgres", "server", "worker"]);
    for (const { build, image } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/:\d+/);
      else {
        expect(existsSync(join(root, build.dockerfile))).toBe(true);
        expect(stage(build.target).name).toBe(build.target);
      }
    }
  });

  it("opens the server to this machine alone, and nothing else", () => {
    expect(services["server"]?.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect(services["postgres"]?.ports).toBeUndefined();
    expect(services["worker"]?.ports).toBeUndefined();
  });

  it("has no password of its own and does not start without one", () => {
    const secrets = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|KEY|DATABASE_URL/.test(name)),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const [, value] of secrets) expect(value).toMatch(/\$\{\w+:\?[^}]+\}/);
  });

  it("keeps what the server writes under a name that locks know again, and gives workers longer than they wait", () => {
    const { server, worker } = services;
    expect(server?.hostname).toBe("massgen-server");
    expect(server?.volumes).toContain("data:/data");
    expect(worker?.volumes).toContain("/data");
    expect(Number.parseInt(worker?.stop_grace_period ?? "", 10)).toBeGreaterThan(600);
    for (const one of [server, worker]) expect([one?.read_only, one?.cap_drop]).toEqual([true, ["ALL"]]);
  });
});

describe("the page on operating it", () => {
  it("names targets, files and examples that there are", () => {
    const page = text("docs/operating.md");
    for (const [, target] of page.matchAll(/--target (\w+)/g)) expect(stage(target ?? "").name).toBe(target);
    for (const [, path] of page.matchAll(/\]\(([^)#]+)\)/g)) expect(existsSync(join(root, "docs", path ?? ""))).toBe(true);
    for (const [, example] of page.matchAll(/@examples\/(\S+)/g)) expect(existsSync(join(root, "configs", `${example}.yaml`))).toBe(true);
  });
});
