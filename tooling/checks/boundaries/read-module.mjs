import { parseSync } from "@swc/core";

/**
 * What one TypeScript file says about its surroundings.
 *
 * `specifier` is `null` for a dynamic import of something computed. `uses` are the names that no declaration in the file
 * binds, with the member they are asked for: `Date.now`, `fetch`, `new Date()`. Types do not count as uses, and
 * `globalThis.` in front of a name changes nothing. `exports` are sorted as written: `name`, `type name` or `*`.
 *
 * @typedef {{ readonly specifier: string | null, readonly line: number }} Import
 * @typedef {{ readonly name: string, readonly line: number }} Use
 * @typedef {{ readonly imports: readonly Import[], readonly uses: readonly Use[], readonly exports: readonly string[] }} Module
 * @typedef {{ readonly type: string, readonly span?: { readonly start: number }, readonly [key: string]: any }} Node
 */

/**
 * @param {string} text
 * @param {string} file only its ending matters
 * @returns {Module} throws a `SyntaxError` when the text is not TypeScript
 */
export function readModule(text, file) {
  const ast = parse(text, file);
  const line = lineFinder(text);
  /** @type {Import[]} */ const imports = [];
  /** @type {Use[]} */ const uses = [];
  /** @type {string[]} */ const exports = [];

  /** @param {Node} node @param {Node | null} source */
  const addImport = (node, source) => {
    imports.push({ specifier: source?.type === "StringLiteral" ? source["value"] : null, line: line(node) });
  };
  /** @param {string} name @param {Node} node */
  const addUse = (name, node) => uses.push({ name, line: line(node) });

  /** @param {unknown} value @param {boolean} inType */
  function visit(value, inType) {
    if (Array.isArray(value)) for (const item of value) visit(item, inType);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const node = /** @type {Node} */ (value);
    const nowInType = inType || (node.type?.startsWith("Ts") === true && !("expression" in node));
    if (node.type === "ImportDeclaration") return addImport(node, node["source"]);
    if (node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node["source"])) {
      addImport(node, node["source"]);
    }
    if (node.type === "TsImportType") addImport(node, node["argument"]);
    if (node.type === "CallExpression" && node["callee"].type === "Import") addImport(node, node["arguments"][0]?.expression ?? null);
    if (!nowInType) {
      const use = useIn(node);
      if (use !== null) {
        for (const name of use.names) addUse(name, use.node);
        for (const rest of use.rest) visit(rest, false);
        return;
      }
    }
    for (const [key, child] of Object.entries(node)) if (key !== "span") visit(child, nowInType);
  }

  for (const item of ast) {
    exports.push(...exportsOf(item));
    visit(item, false);
  }
  return { imports, uses, exports };
}

/** @param {string} text @param {string} file @returns {Node[]} */
function parse(text, file) {
  try {
    return /** @type {any} */ (parseSync(text, { syntax: "typescript", tsx: file.endsWith("x"), target: "es2022" }).body);
  } catch (error) {
    const [first = "no reason given"] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new SyntaxError(`is not TypeScript: ${first.replace(/^[\sx×]+/, "")}`, { cause: error });
  }
}

/**
 * Names of the surroundings that this very node asks for, and the parts still to be looked at; `null` when it asks for none.
 * @param {Node} node
 * @returns {{ node: Node, names: string[], rest: unknown[] } | null}
 */
function useIn(node) {
  if (node.type === "NewExpression" && freeName(node["callee"]) === "Date" && (node["arguments"] ?? []).length === 0) {
    return { node, names: ["new Date()"], rest: [] };
  }
  if (node.type === "CallExpression" && freeName(node["callee"]) === "Date") return { node, names: ["Date()"], rest: node["arguments"] };
  if (node.type === "VariableDeclarator" && node["id"].type === "ObjectPattern" && node["init"] !== null) {
    const owner = freeName(node["init"]);
    if (owner === null) return null;
    const keys = node["id"].properties.map((/** @type {Node} */ property) => property["key"]?.value ?? "*");
    return { node, names: keys.map((/** @type {string} */ key) => (owner === "globalThis" ? key : `${owner}.${key}`)), rest: [node["id"]] };
  }
  const name = freeName(node);
  if (name === null) return null;
  return { node, names: [name], rest: [] };
}

/**
 * The dotted name when `node` is a free name or a member of one, two parts at most: `fetch`, `Date.now`, `process.env`.
 * @param {Node} node @returns {string | null}
 */
function freeName(node) {
  if (node.type === "Identifier") return node["ctxt"] === FREE ? node["value"] : null;
  if (node.type !== "MemberExpression") return null;
  const owner = freeName(node["object"]);
  const member = memberName(node["property"]);
  if (owner === null || member === null) return null;
  if (owner === "globalThis") return member;
  return owner.includes(".") ? owner : `${owner}.${member}`;
}

/** @param {Node} property @returns {string | null} */
function memberName(property) {
  if (property.type === "Identifier") return property["value"];
  if (property.type === "Computed" && property["expression"].type === "StringLiteral") return property["expression"].value;
  return null;
}

/** @param {Node} item @returns {string[]} */
function exportsOf(item) {
  if (item.type === "ExportAllDeclaration") return ["*"];
  if (item.type === "ExportDefaultDeclaration" || item.type === "ExportDefaultExpression") return ["default"];
  if (item.type === "ExportNamedDeclaration") {
    return item["specifiers"].map((/** @type {Node} */ one) => {
      const name = (one["exported"] ?? one["orig"] ?? one["name"]).value;
      return item["typeOnly"] || one["isTypeOnly"] ? `type ${name}` : name;
    });
  }
  if (item.type !== "ExportDeclaration") return [];
  const declared = item["declaration"];
  if (declared.type === "VariableDeclaration") return declared.declarations.flatMap((/** @type {Node} */ one) => boundNames(one["id"]));
  const name = (declared.identifier ?? declared.id).value;
  return [declared.type === "TsInterfaceDeclaration" || declared.type === "TsTypeAliasDeclaration" ? `type ${name}` : name];
}

/** @param {Node} pattern @returns {string[]} */
function boundNames(pattern) {
  if (pattern.type === "Identifier") return [pattern["value"]];
  return (pattern["properties"] ?? pattern["elements"] ?? []).flatMap((/** @type {Node | null} */ one) =>
    one === null ? [] : boundNames(one["value"]?.type ? one["value"] : (one["key"] ?? one["argument"] ?? one)),
  );
}

/** swc counts bytes from 1. @param {string} text @returns {(node: Node) => number} */
function lineFinder(text) {
  const bytes = Buffer.from(text);
  return (node) => {
    let line = 1;
    for (let at = bytes.indexOf(10); at !== -1 && at + 1 < (node.span?.start ?? 1); at = bytes.indexOf(10, at + 1)) line++;
    return line;
  };
}

/** The scope number that swc gives to names which nothing in the file declares; found by asking, so that a new swc cannot fool us. */
const FREE = (() => {
  const [probe] = /** @type {any[]} */ (parseSync("[free, (bound => bound)]", { syntax: "typescript" }).body);
  const [free, lambda] = probe.expression.elements;
  const bound = lambda.expression.expression.body;
  if (typeof free.expression.ctxt !== "number" || free.expression.ctxt === bound.ctxt) {
    throw new Error("swc no longer tells free names from bound ones; boundaries/read-module.mjs has to learn its new way");
  }
  return free.expression.ctxt;
})();
