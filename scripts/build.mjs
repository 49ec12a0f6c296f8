// Builds dist/: an ESM bundle with shared chunks, a CommonJS bundle, and declarations beside each. It is
// made in a folder of its own and put in place whole, so that a reader never meets half a build; it is
// skipped when nothing that it is made from has changed. Types are emitted here, not checked: `npm run check` does.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { endWith, generate, root, runNode, tool } from './steps.mjs';

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

/** The files of src/ are entrances, and each in src/testing is one of its own; the command line is loaded by bin/ alone, as ESM. */
async function entryPoints() {
  const testing = existsSync(join(root, 'src/testing'))
    ? await readdir(join(root, 'src/testing'))
    : [];
  return [
    'src/index.ts',
    'src/express.ts',
    ...testing
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => `src/testing/${file}`),
  ];
}

/** What a user's project installs, or already has. Anything else is put into the bundle. */
async function external() {
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  return Object.keys({ ...dependencies, ...peerDependencies });
}

async function bundle(outdir, stamp) {
  const { build } = await import('esbuild');
  const shared = {
    absWorkingDir: root,
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  };
  const esm = join(outdir, 'esm');
  await build({
    ...shared,
    entryPoints: [...(await entryPoints()), 'src/cli/main.ts'],
    bundle: true,
    external: await external(),
    outbase: 'src',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    // What a cache on disk is kept for: see src/assembly/cache/fact-files.ts.
    define: { CANTICLE_BUILD: JSON.stringify(stamp.slice(0, 16)) },
    outdir: esm,
  });
  // The same files once more as CommonJS, chunk by chunk: entrances share their classes there too. A dynamic import
  // becomes a require, which test runners know how to do. vitest comes as a module alone, and so does what is for it.
  const files = (await readdir(esm, { recursive: true })).filter(
    (file) => file.endsWith('.js') && !file.endsWith('vitest.js'),
  );
  await build({
    ...shared,
    entryPoints: files.map((file) => join(esm, file)),
    outbase: esm,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // Packages that are loaded when they are needed are found from the file that needs them.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: {
      js: '"use strict"; const importMetaUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    outdir: join(outdir, 'cjs'),
  });
  await rm(join(outdir, 'cjs', 'cli'), { recursive: true });
}

/** Bundled, because it comes as a module alone and tests are often CommonJS; its licence comes with it. */
async function addLicences(outdir) {
  const name = 'json-schema-faker';
  await cp(join(root, 'node_modules', name, 'LICENSE'), join(outdir, `${name}.LICENSE`));
}

/** What shows the documents in a browser: see src/assembly/reader-files.ts. */
async function addReader(outdir) {
  const from = join(root, 'node_modules', 'swagger-ui-dist');
  const to = join(outdir, 'reader');
  await mkdir(to, { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    await writeFile(
      join(to, `${name}.gz`),
      gzipSync(await readFile(join(from, name)), { level: 9 }),
    );
  for (const name of ['LICENSE', 'NOTICE']) await cp(join(from, name), join(to, name));
}

/** Of each entrance, with what they share in chunks: a user's compiler reads ten files in place of all that there are. */
async function bundleDeclarations(outdir) {
  const plain = join(outdir, 'declarations');
  await runNode([
    tool('typescript-7/bin/tsc'),
    ...['-p', 'tsconfig.build.json', '--noCheck', '--outDir', plain],
  ]);
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const input = (await entryPoints()).map((file) =>
    join(plain, file.replace(/^src\//, '').replace(/ts$/, 'd.ts')),
  );
  const named = input.map((file) => [relative(plain, file).replace(/\.d\.ts$/, ''), file]);
  const bundled = await rollup({
    input: Object.fromEntries(named),
    plugins: [dts()],
    external: (id) => !/^[./]|^[A-Za-z]:/.test(id),
    // It says which types no entrance has by name; those need none.
    onwarn: () => undefined,
  });
  await bundled.write({
    dir: join(outdir, 'esm'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types/[name]-[hash].d.ts',
  });
  await rm(plain, { recursive: true });
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
    ]);
    await cp(join(fresh, 'esm'), join(fresh, 'cjs'), {
      recursive: true,
      filter: (source) => !/\.(js|map)$|chunks$/.test(source),
    });
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
