// Builds dist/: the code as CommonJS in packs (build/packs.mjs), a file for each entrance (build/entrances.mjs), and
// declarations
// (build/declarations.mjs). It writes to a separate folder and then renames it, so that readers never see a partial
// build. It skips the build if its inputs have not changed. Types are emitted here, not checked: `npm run check` does.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleDeclarations } from './build/declarations.mjs';
import { writeBrowser } from './build/browser.mjs';
import { BROWSER, loadedByName, writeEntrances, writeModules } from './build/entrances.mjs';
import { writePacks } from './build/packs.mjs';
import { writeWallet } from './build/wallet.mjs';
import { addInspector, addLicences, addReader } from './build/pages.mjs';
import {
  factsApart,
  jsonAsText,
  loaderApart,
  protobufBytes,
  validatorsApart,
  writeFacts,
  writeValidators,
} from './build/plugins.mjs';
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
const generated = /^src.(spec|scenario|network.protobuf).generated/;
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

/** The packages that a user's project installs. Anything else is put into the bundle. */
async function external() {
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  return [...Object.keys({ ...dependencies, ...peerDependencies }), 'bun:test'];
}

/** The code that most processes load, especially those of test runners. */
const FIRST = ['src/index.ts', 'src/express.ts', 'src/testing/runner/use-canticle.ts'];

/** The packs of code that most processes need after their start, and of an entry point. */
const APART = {
  'pack-often.js': [
    'src/daml/explanation/explanation.ts',
    'src/daml/tracing/retrace.ts',
    'src/daml/tracing/stored-actions.ts',
    'src/network/protobuf/definitions/releases.ts',
    'src/network/protobuf/definitions/later.ts',
  ],
  'pack-browser.js': [BROWSER],
};

/**
 * The code exists once, as CommonJS, so that `import` and `require` in one process give the same classes and instances.
 */
async function bundle(outdir, stamp) {
  const cjs = join(outdir, 'cjs');
  const options = {
    ...{ absWorkingDir: root, platform: 'node', target: 'node20', logLevel: 'warning' },
    ...{ bundle: true, legalComments: 'none' },
    // Shorter by a quarter. Names stay, and stacks name lines that are short enough to read.
    ...{ minifyWhitespace: true, minifySyntax: true, lineLimit: 160 },
    define: {
      // The key of the cache on disk: see src/assembly/cache/fact-files.ts.
      CANTICLE_BUILD: JSON.stringify(stamp.slice(0, 16)),
      // Packages that are loaded when they are needed are found from the file that needs them.
      'import.meta.url': 'importMetaUrl',
    },
  };
  const files = await loadedByName(await writeModules(outdir, options));
  const packs = join(cjs, 'packs');
  const { placeOf, needs } = await writePacks(packs, FIRST, APART, files, {
    ...options,
    format: 'cjs',
    // A dynamic import becomes a require, which test runners know how to do.
    supported: { 'dynamic-import': false },
    external: await external(),
    plugins: [factsApart, jsonAsText, protobufBytes, validatorsApart, loaderApart],
  });
  await Promise.all([
    writeEntrances(outdir, files, placeOf),
    writeLoader(cjs, options),
    writeValidators(join(packs, 'validators'), options),
    writeFacts(join(packs, 'facts')),
    writeFile(join(packs, 'package.json'), '{ "type": "module" }\n'),
  ]);
  await writeBrowser(outdir, { needs, placeOf });
}

const CACHE = join(root, 'src', 'assembly', 'cache');
const URL_OF_FILE = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';

/** The loader of the packs. */
async function writeLoader(folder, options) {
  const { build } = await import('esbuild');
  await build({
    ...options,
    entryPoints: [join(CACHE, 'built-code.ts')],
    format: 'cjs',
    banner: { js: `"use strict"; ${URL_OF_FILE}` },
    outfile: join(folder, 'load.js'),
  });
  await copyFile(join(CACHE, 'nothing.cjs'), join(folder, 'nothing.cjs'));
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
      writeWallet(fresh),
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
