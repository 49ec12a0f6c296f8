// A few files for all of the built code, with a function for each file that it was, as Node makes one of each that it loads: each is read
// at once, and V8 is given what it made of it before (see src/assembly/cache/code-pack.ts). In place of entrances there are doors to them.
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { root } from '../steps.mjs';
import { isLatePart, roomOf } from './late.mjs';

const CACHE = join(root, 'src', 'assembly', 'cache');
const PARAMETERS = 'exports, require, module, __filename, __dirname';
const URL_OF_FILE = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';
/** Of a file that was a module. */
export const BANNER = `"use strict"; ${URL_OF_FILE}`;
const MAP_COMMENT = /\n\/\/# sourceMappingURL=[\w.-]+\s*$/;

/** It stands beside the packs, and what is in them finds it there. */
export const loaderApart = {
  name: 'loader-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/built-code\.js$|^canticle:built-code$/ }, () => ({
      path: 'canticle:built-code',
      external: true,
    })),
};

/** What few runs ask for, the command line above all. */
const REST = 'pack-rest.js';

/**
 * What most runs load is in `pack.js`, and what is loaded late in a pack for each room of the house.
 * @param folder of the files, which go, and of the packs
 * @param most the names of those that most runs load
 * @param shared those that late parts have in common
 */
export async function pack(folder, most, shared) {
  const packOf = (name) => {
    if (most.has(name) || shared.has(name)) return 'pack.js';
    return isLatePart(name) ? `pack-${roomOf(name)}.js` : REST;
  };
  // What is loaded is mostly run.
  const isEager = (name) => most.has(name) || isLatePart(name);
  const files = await readdir(folder, { recursive: true });
  const names = files.filter((file) => file.endsWith('.js')).map((file) => posixOf(file));
  const parts = await Promise.all(names.sort().map((name) => part(folder, name, isEager(name))));
  const packs = new Set(parts.map(({ name }) => packOf(name)));
  const elsewhere = parts
    .filter(({ name }) => packOf(name) !== 'pack.js')
    .map(({ name }) => `${JSON.stringify(name)}: ${JSON.stringify(packOf(name))},\n`);
  for (const file of packs) {
    const own = parts.filter(({ name }) => packOf(name) === file);
    await writePack(folder, file, own, file === 'pack.js' ? elsewhere : []);
  }
}

async function writePack(folder, file, parts, elsewhere) {
  const { encode } = await import('@jridgewell/sourcemap-codec');
  const sources = [];
  const lines = [[]];
  for (const { map, length } of parts) {
    const start = sources.length;
    sources.push(...map.sources);
    const moved = map.lines.map((line) =>
      line.map(([column, source, ...place]) => [column, source + start, ...place]),
    );
    for (let line = 0; line < length; line++) lines.push(moved[line - 1] ?? []);
  }
  const closing = `}; })();\n//# sourceMappingURL=${file}.map\n`;
  const text = [OPENING, ...parts.map((each) => each.text), ...elsewhere, closing].join('');
  const map = { version: 3, sources, names: [], mappings: encode(lines).replace(/;+$/, '') };
  await writeFile(join(folder, file), text);
  await writeFile(join(folder, `${file}.map`), JSON.stringify(map));
}

/**
 * What all code looks at and nobody puts another in the place of is looked at once: in the sandbox of a test runner each look takes a
 * quarter of a microsecond, which made a create take twice as long.
 */
const LOOKED_AT_ONCE = [
  ...['Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'Boolean', 'Buffer', 'DataView', 'Error'],
  ...['Infinity', 'Int32Array', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise'],
  ...['Proxy', 'RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError'],
  ...['TypeError', 'Uint8Array', 'WeakMap', 'WeakSet', 'isNaN', 'parseInt'],
];
/** It is what a script comes to, and what a file exports that Node loads. */
const OPENING =
  '(typeof module === "object" ? module : {}).exports = (() => { ' +
  `const { ${LOOKED_AT_ONCE.join(', ')} } = globalThis; return {\n`;

/** One file of those, as it is in the pack: between a line that begins it and one that ends it. */
async function part(folder, name, isEager) {
  const file = join(folder, name);
  const code = (await readFile(file, 'utf8')).replace(MAP_COMMENT, '').trimEnd();
  const asks = code.split('importMetaUrl').length > 2;
  const body = ascii(asks ? code : code.replace(URL_OF_FILE, ''));
  const map = await mapOf(`${file}.map`);
  await Promise.all([rm(file), rm(`${file}.map`, { force: true })]);
  const [open, close] = isEager ? ['(', ')'] : ['', ''];
  const text = `${JSON.stringify(name)}: ${open}function (${PARAMETERS}) {\n${body}\n}${close},\n`;
  return { name, text, length: text.split('\n').length - 1, map };
}

/** A text of one byte a character is read fastest. esbuild leaves others in remarks and regular expressions alone, where an escape is the same. */
const ascii = (code) =>
  code.replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function mapOf(file) {
  const { decode } = await import('@jridgewell/sourcemap-codec');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { sources: [], lines: [] };
  const { sources, mappings } = JSON.parse(text);
  return { sources, lines: decode(mappings) };
}

/** A file of that name that exports what the part does, and says so where Node looks for it: after `0 &&`, as esbuild has it. */
export async function writeDoor(folder, name, exports) {
  const loader = posix.relative(posix.dirname(name), 'load.js').replace(/^(?!\.)/, './');
  const named = exports.filter((each) => each !== 'default').join(', ');
  const said = [`module.exports = { ${named} }`];
  if (exports.includes('default')) said.push('exports.default = null');
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `"use strict";
module.exports = require(${JSON.stringify(loader)}).load(${JSON.stringify(name)});
${said.map((each) => `0 && (${each});\n`).join('')}`,
  );
}

export async function writeLoader(folder, options) {
  const { build } = await import('esbuild');
  await build({
    ...options,
    entryPoints: [join(CACHE, 'built-code.ts')],
    bundle: true,
    format: 'cjs',
    define: { ...options.define, 'import.meta.url': 'importMetaUrl' },
    banner: { js: BANNER },
    outfile: join(folder, 'load.js'),
  });
  await copyFile(join(CACHE, 'nothing.cjs'), join(folder, 'nothing.cjs'));
}

export const posixOf = (file) => file.split(sep).join('/');
