/**
 * Holds the repository to its own picture: who imports whom, what runs where, which file is one story.
 * `node tooling/checks/boundaries.mjs [root]` prints every violation and exits 1 when there is one.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { declaredArrows, importedArrows, packageCycles, projectReferences, tableIsTrue } from "./boundaries/arrow-rules.mjs";
import { arrows as drawn } from "./boundaries/arrows.mjs";
import { anyRuntime, chosenExports, fileCycles, ownFolderOnly } from "./boundaries/file-rules.mjs";
import { readRepository } from "./boundaries/read-repository.mjs";
import { committedFiles, fileSizes, linksLead, machineTraces } from "./boundaries/text-rules.mjs";
import { isMain } from "./is-main.mjs";

/**
 * @param {string} root
 * @param {import("./boundaries/arrows.mjs").Arrows} [arrows]
 */
export function checkBoundaries(root, arrows = drawn) {
  const repository = readRepository(root);
  const files = committedFiles(root);
  const exceptions = join(root, "tooling/size-exceptions.txt");
  const sizes = fileSizes(root, files, existsSync(exceptions) ? readFileSync(exceptions, "utf8") : "");
  const violations = [
    ...somethingWasRead(repository),
    ...tableIsTrue(repository, arrows),
    ...declaredArrows(repository, arrows),
    ...importedArrows(repository, arrows),
    ...packageCycles(repository),
    ...projectReferences(repository, arrows),
    ...anyRuntime(repository, arrows),
    ...fileCycles(repository),
    ...ownFolderOnly(repository),
    ...chosenExports(repository),
    ...sizes.violations,
    ...machineTraces(root, files),
    ...linksLead(root, files),
  ];
  return { violations, warnings: sizes.warnings, ...counts(repository) };
}

/** A check that saw nothing has nothing to say. @param {import("./boundaries/read-repository.mjs").Repository} repository */
function somethingWasRead(repository) {
  const broken = repository.packages.flatMap((one) => one.files.filter((file) => file.broken !== null));
  const blind = repository.packages.filter((one) => !one.files.some((file) => file.role === "source"));
  return [
    ...(repository.packages.length === 0 ? [{ rule: "nothing read", where: repository.root, message: "holds no package." }] : []),
    ...broken.map((file) => ({ rule: "nothing read", where: file.path, message: `${file.broken}.` })),
    ...blind.map((one) => ({ rule: "nothing read", where: one.dir, message: "has no source file in src/." })),
  ];
}

/** @param {import("./boundaries/read-repository.mjs").Repository} repository */
function counts(repository) {
  const files = repository.packages.flatMap((one) => one.files);
  return {
    packages: repository.packages.length,
    modules: files.length,
    imports: files.reduce((sum, file) => sum + file.imports.length, 0),
  };
}

if (isMain(import.meta.url)) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const { violations, warnings, packages, modules, imports } = checkBoundaries(root);
  for (const { where, message } of warnings) console.log(`warning  ${where} ${message}`);
  for (const { where, message } of violations) console.log(`${where} ${message}`);
  console.log(`boundaries: ${packages} packages, ${modules} modules, ${imports} imports, ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
