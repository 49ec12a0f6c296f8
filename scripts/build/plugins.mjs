// The esbuild plugins for files that are not source code.
import { readFile, readdir, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../steps.mjs';

/** JSON as a text that is parsed when it is first asked for: an engine reads that twice as fast as the same as code. */
export const jsonAsText = {
  name: 'json-as-text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)});` };
    }),
};

/**
 * A start needs only the reader and the writer of protobuf. They are bundled, because the package would also load its code for messages.
 */
export const protobufBytes = {
  name: 'protobuf-bytes',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^@bufbuild\/protobuf\/wire$/ }, () => ({
      path: join(root, 'node_modules/@bufbuild/protobuf/dist/esm/wire/binary-encoding.js'),
      sideEffects: false,
    }));
    // Environments of test runners may lack the globals for encoding and decoding texts.
    onLoad(
      { filter: /protobuf[\\/]dist[\\/]esm[\\/]wire[\\/]text-encoding\.js$/ },
      async ({ path }) => ({
        contents: `import * as util from 'node:util';${(await readFile(path, 'utf8')).replace('= globalThis', '= util')}`,
      }),
    );
  },
};

const VALIDATORS = /generated\/(.*validators)\.js$/;

/** Generated validators of whole APIs, which few ask for, are left to the loader. */
export const validatorsApart = {
  name: 'validators-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: VALIDATORS }, ({ path }) => ({
      path: `validators/${VALIDATORS.exec(path)[1]}`,
      external: true,
    })),
};

/** A module of JavaScript that Node, browsers and bundlers read. Its default export is the compressed text in base64. */
const asModule = (text) => `export default "${gzipSync(text, { level: 9 }).toString('base64')}";\n`;

/** Facts of documents (`canton`, `splice`), of protobuf definitions (`protos`), and of previews (`registry`). */
const FACTS = /facts\/(canton|splice|protos|registry)\/([\w.]+)\.json$/;

/** The facts of releases other than the default one, and of previews. An instance reads only those that it serves. */
export const factsApart = {
  name: 'facts-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: FACTS }, ({ path, kind, resolveDir }) => {
      if (kind !== 'require-call' && kind !== 'dynamic-import') return undefined;
      const [, of, release] = FACTS.exec(path);
      const name = `${of}-${release}`;
      leftOut.set(name, join(resolveDir, path));
      return { path: `facts/${name}`, external: true };
    }),
};
/** The files of these facts, by their names in the build. */
const leftOut = new Map();

/** Writes the facts that the plugin above left out. They are small, and their decompression would take longer than all else. */
export async function writeFacts(folder) {
  await mkdir(folder, { recursive: true });
  for (const [name, file] of leftOut) {
    const text = JSON.stringify(JSON.parse(await readFile(file, 'utf8')));
    await writeFile(join(folder, `${name}.js`), `export default ${text};\n`);
  }
}

/** Compressed to 15% of the size, which saves 2.3 MB in an installation. */
export async function writeValidators(folder, options) {
  const { build } = await import('esbuild');
  const files = ['src/spec/generated', 'src/scenario/generated'].map(async (from) =>
    (await readdir(join(root, from)))
      .filter((file) => file.endsWith('validators.ts'))
      .map((file) => `${from}/${file}`),
  );
  const { outputFiles } = await build({
    ...options,
    entryPoints: (await Promise.all(files)).flat(),
    format: 'cjs',
    minify: true,
    write: false,
    outdir: folder,
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles)
    await writeFile(join(folder, basename(path)), asModule(contents));
}

/** The loader is one file next to the packs: it must exist only once. */
export const loaderApart = {
  name: 'loader-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/built-code\.js$/ }, () => ({ path: 'loader', external: true })),
};
