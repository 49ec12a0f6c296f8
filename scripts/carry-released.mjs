#!/usr/bin/env node
// Writes src/daml/dar/released-packages.json: the valid packages of Splice's releases, with their dependencies. It
// reads and checks each package of these DARs completely, so that uploads need not check it again.
//
//   node scripts/carry-released.mjs FOLDER
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { cache, root } from './steps.mjs';

const target = join(root, 'src/daml/dar/released-packages.json');
const COMMENT =
  "Packages of Splice's releases that were checked, carried by scripts/carry-released.mjs: do not edit by hand.";

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node scripts/carry-released.mjs FOLDER');

const outfile = join(cache, 'carry-released.mjs');
await build({
  stdin: {
    contents: `
      export { readDar } from './src/daml/dar/dar-file.js';
      export { CheckedPackages } from './src/daml/dar/checked-packages.js';`,
    resolveDir: root,
  },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
const { readDar, CheckedPackages } = await import(pathToFileURL(outfile));

const checked = new CheckedPackages(undefined, '', undefined, () => undefined);
/** Dependencies of each package, by its id, what it depends on before it. */
const found = new Map();
const files = readdirSync(folder).filter((file) => /^(splice-|splitwell-).*\.dar$/.test(file));
for (const file of files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
  const { packages } = readDar(readFileSync(join(folder, file)), undefined, { checked });
  const ids = packages.map(({ id }) => id);
  const add = (id) => {
    if (found.has(id)) return;
    const { dependencies } = checked.get(id);
    dependencies.forEach(add);
    found.set(id, dependencies);
  };
  ids.forEach(add);
}

const ids = [...found.keys()];
const place = new Map(ids.map((id, index) => [id, index]));
/** A line for each package: indices in the list, each as its distance from the previous one. */
const lines = [...found.values()].map((dependencies) =>
  dependencies
    .map((id) => place.get(id))
    .sort((a, b) => a - b)
    .map((each, index, all) => each - (all[index - 1] ?? 0))
    .join(' '),
);
const written = {
  comment: COMMENT,
  ids: Buffer.from(ids.join(''), 'hex').toString('base64'),
  dependencies: deflateRawSync(lines.join('\n'), { level: 9 }).toString('base64'),
};
writeFileSync(target, `${JSON.stringify(written, undefined, 2)}\n`);
console.log(`${ids.length} packages of ${files.length} DARs`);
