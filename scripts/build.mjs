// Builds dist/: the code as CommonJS in shared chunks, what `import` finds of it, and declarations. It is
// made in a folder of its own and put in place whole, so that a reader never meets half a build; it is
// skipped when nothing that it is made from has changed. Types are emitted here, not checked: `npm run check` does.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundleDeclarations } from './build/declarations.mjs';
import { entryPoints, writeModuleDoor } from './build/entrances.mjs';
import { isLatePart, lateParts, needLess, takeLate } from './build/late.mjs';
import { BANNER, loaderApart, pack, posixOf, writeDoor, writeLoader } from './build/pack.mjs';
import { addInspector, addLicences, addReader } from './build/pages.mjs';
import { factsApart, protobufBytes } from './build/plugins.mjs';
import { thinMaps } from './build/thin-maps.mjs';
import { endWith, generate, root } from './steps.mjs';

const dist = join(root, 'dist');
const stampFile = 'build-stamp';
const madeFrom = [
  'src',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const generated = /^src.(spec|scenario).generated/;
/** What bin/ loads, and what it has other threads run. */
const commandLine = ['src/cli/main.ts', 'src/cli/test/worker.ts'];
/** In chunks of its own, as nobody reads it. */
const generatedCode = ['src/scenario/generated/validators.ts'];

/** One hash over every input. Generated sources follow from the others and stay out of it. */
async function stampOfInputs() {
  const hash = createHash('sha256').update(process.version);
  for (const file of await inputs()) {
    hash.update(`\0${file}\0`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

async function inputs() {
  const found = [];
  for (const name of madeFrom) {
    if (name.includes('.')) found.push(name);
    else {
      for (const entry of await readdir(join(root, name), {
        recursive: true,
        withFileTypes: true,
      })) {
        if (entry.isFile())
          found.push(relative(root, join(entry.parentPath ?? entry.path, entry.name)));
      }
    }
  }
  return found.filter((file) => !generated.test(file)).sort();
}

async function isFresh(stamp) {
  const file = join(dist, stampFile);
  return existsSync(file) && (await readFile(file, 'utf8')) === stamp;
}

/** What a user's project installs, or already has. Anything else is put into the bundle. */
async function external() {
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  return [...Object.keys({ ...dependencies, ...peerDependencies }), 'bun:test'];
}

const packages = { platform: 'node', target: 'node20', logLevel: 'warning' };

/**
 * The code is there once, as CommonJS: whoever imports it and whoever requires it in one process have the same classes and the same
 * instances. esbuild splits modules alone into shared chunks, so it makes those first, in `split`.
 */
async function bundle(outdir, stamp) {
  const { build } = await import('esbuild');
  // What a cache on disk is kept for: see src/assembly/cache/fact-files.ts.
  const define = { CANTICLE_BUILD: JSON.stringify(stamp.slice(0, 16)) };
  const split = join(outdir, 'split');
  const entrances = await entryPoints();
  const late = await lateParts();
  const files = [...entrances, ...commandLine, ...generatedCode].map((file) => ({
    in: file,
    out: file.replace(/^src\/|\.ts$/g, ''),
  }));
  const { metafile } = await build({
    ...packages,
    absWorkingDir: root,
    entryPoints: [...files, ...late.entryPoints],
    bundle: true,
    external: await external(),
    outbase: 'src',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    define,
    plugins: [late.plugin, factsApart(outdir), protobufBytes, loaderApart],
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    outdir: split,
  });
  const nameOf = (file) => posixOf(relative(split, join(root, file)));
  const outputs = Object.entries(metafile.outputs)
    .map(([file, output]) => ({
      ...output,
      name: nameOf(file),
      imports: output.imports.map((each) => ({
        ...each,
        path: each.external ? each.path : nameOf(each.path),
      })),
    }))
    .filter(({ name, entryPoint }) => name.endsWith('.js') && !generatedCode.includes(entryPoint));
  await Promise.all(outputs.map(({ name }) => withoutRemarks(join(split, name))));
  const isModule = ({ entryPoint }) => [MODULE_ALONE, MODULE_TOO].includes(entryPoint);
  const required = outputs.filter(({ entryPoint }) => entryPoint !== MODULE_ALONE);
  const isGenerated = ({ inputs }) => Object.keys(inputs).every((input) => generated.test(input));
  const plain = required.filter((output) => !isGenerated(output));
  const isPart = ({ name }) => name.startsWith('chunks/') || isLatePart(name);
  await Promise.all(plain.filter(isPart).map(({ name }) => withPlainExports(join(split, name))));
  const doors = required.filter(
    (output) => entrances.includes(output.entryPoint) && !isModule(output),
  );
  const readable = { sourcemap: true, sourcesContent: false };
  const shared = Promise.all(outputs.filter(isModule).map(({ name }) => asModule(outdir, name)));
  await Promise.all([
    asCommonJs(outdir, required.filter(isGenerated), { minify: true }),
    asCommonJs(outdir, plain, readable),
    shared,
    ...doors.map(({ name, exports }) => writeModuleDoor(outdir, name, exports)),
  ]);
  await rm(split, { recursive: true });
  const codeFile = ({ name }) => join(outdir, 'cjs', name);
  await Promise.all(plain.map((output) => takeLate(codeFile(output))));
  await Promise.all(
    plain.filter(({ name }) => isLatePart(name)).map((output) => needLess(codeFile(output))),
  );
  await Promise.all([
    thinMaps(join(outdir, 'cjs')),
    ...required.filter(isGenerated).map((output) => compressed(outdir, output)),
  ]);
  await packed(join(outdir, 'cjs'), required, new Set((await shared).flat()));
  await writeLoader(join(outdir, 'cjs'), { ...packages, define });
}

/** What most users enter by: what they load is what most runs load. */
const MOST = [
  'index.js',
  'express.js',
  ...['jest', 'node-test', 'bun-test', 'nock', 'msw'].map((each) => `testing/${each}.js`),
];

/** All of it in a few files, with doors for those who come from outside: users, the command line, and modules that share something. */
async function packed(folder, outputs, shared) {
  const byName = new Map(outputs.map((output) => [output.name, output]));
  const withAll = (names) => {
    const all = new Set(names);
    for (const name of all)
      for (const { path, kind } of byName.get(name).imports)
        if (kind === 'import-statement' && byName.has(path)) all.add(path);
    return all;
  };
  const most = withAll(MOST);
  const late = withAll([...byName.keys()].filter(isLatePart));
  await pack(folder, most, new Set([...late].filter((name) => !isLatePart(name))));
  const entrances = new Set([...(await entryPoints()), ...commandLine]);
  const doors = outputs.filter(
    ({ name, entryPoint }) => shared.has(name) || entrances.has(entryPoint),
  );
  await Promise.all(doors.map(({ name, exports }) => writeDoor(folder, name, exports)));
}

/**
 * Remarks of members, which esbuild leaves where they are: declarations have them, and those who read the code have the sources. Lines
 * stay as many, as maps tell of them.
 */
async function withoutRemarks(file) {
  const code = await readFile(file, 'utf8');
  const bare = code
    .replace(/^ +\/\*\*(?:(?!\*\/|\$\{)[^])*\*\/$/gm, (remark) => remark.replace(/[^\n]/g, ''))
    .replace(/^\/\/ [\w-]+[:/]\S*$/gm, '');
  await writeFile(file, bare);
}

/**
 * What others take of a chunk is plain once it is loaded: through the functions that esbuild puts in its place each use of a name of
 * another chunk is two calls, a twentieth of what a command costs.
 */
async function withPlainExports(file) {
  const code = await readFile(file, 'utf8');
  const plain = code.replace(/^export \{\n([^}]*)\};$/m, (_, names) => {
    const members = names.replace(/^( +)(\S+) as ([^\s,]+)/gm, '$1$3: $2');
    return `module.exports = Object.defineProperty({\n${members}}, "__esModule", { value: true });`;
  });
  await writeFile(file, plain);
}

/** Bytes of generated code from which on it is kept compressed: validators of whole APIs, which few ask for. */
const MUCH = 50_000;

/** Compressed, with code in its place that unpacks it when something of it is first read: a tenth of the size, and nothing for who reads none. */
async function compressed(outdir, { name, exports }) {
  const file = join(outdir, 'cjs', name);
  const code = await readFile(file);
  if (code.length < MUCH) return;
  await writeFile(`${file}.br`, brotliCompressSync(code));
  const unpack = `new Function("module","exports","require","__filename",require("node:zlib").brotliDecompressSync(require("node:fs").readFileSync(__filename+".br")).toString())`;
  await writeFile(
    file,
    `"use strict";let made;const read=name=>{if(made===undefined){made={exports:{}};${unpack}(made,made.exports,require,__filename)}return made.exports[name]};
for(const name of ${JSON.stringify(exports)})Object.defineProperty(exports,name,{enumerable:true,get:()=>read(name)});
Object.defineProperty(exports,"__esModule",{value:true});
`,
  );
}

/** A dynamic import becomes a require, which test runners know how to do. */
async function asCommonJs(outdir, outputs, options) {
  const { build } = await import('esbuild');
  const split = join(outdir, 'split');
  await build({
    ...packages,
    ...options,
    entryPoints: outputs.map(({ name }) => join(split, name)),
    outbase: split,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // Packages that are loaded when they are needed are found from the file that needs them.
    define: { 'import.meta.url': 'importMetaUrl' },
    // What it exports is plain: it says `module` itself.
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
    banner: { js: BANNER },
    outdir: join(outdir, 'cjs'),
  });
}

/** vitest comes as a module alone, and so does what is for it. */
const MODULE_ALONE = 'src/testing/vitest.ts';
/** MSW is there twice, and knows its handlers by symbols of its own: whoever imports it needs those of the module. */
const MODULE_TOO = 'src/testing/msw.ts';

/** From there to all others. */
const CODE = '../../cjs';

/** What it shares with others stays with them. @returns the names of those */
async function asModule(outdir, name) {
  const { build } = await import('esbuild');
  const split = join(outdir, 'split');
  const shared = ({ path }) => ({
    path: posix.join(CODE, 'testing', path),
    external: true,
    sideEffects: false,
  });
  const { metafile } = await build({
    ...packages,
    entryPoints: [join(split, name)],
    outbase: split,
    bundle: true,
    packages: 'external',
    plugins: [
      { name: 'shared', setup: ({ onResolve }) => onResolve({ filter: /^\.\.?\// }, shared) },
    ],
    format: 'esm',
    metafile: true,
    outdir: join(outdir, 'esm'),
  });
  return Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => path.startsWith(CODE))
    .map((path) => posix.relative(CODE, path));
}

export async function buildDist() {
  const stamp = await stampOfInputs();
  if (await isFresh(stamp)) return;
  const started = performance.now();
  await generate();
  const fresh = join(root, `.dist-${process.pid}`);
  try {
    await Promise.all([
      bundle(fresh, stamp),
      bundleDeclarations(fresh),
      addLicences(fresh),
      addReader(fresh),
      addInspector(fresh),
    ]);
    await writeFile(join(fresh, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
    await writeFile(join(fresh, stampFile), stamp);
    await putInPlace(fresh);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  console.log(`build: dist/ is made, in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function putInPlace(fresh) {
  const old = `${fresh}-old`;
  await mkdir(dist, { recursive: true });
  await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) endWith(buildDist());
