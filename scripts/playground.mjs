// Writes the playground: one static page with a ledger in it, from the built package. `npm run docs` puts it into the site.
//
//   node scripts/playground.mjs [FOLDER]      site/playground by default
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildDist } from './build.mjs';
import { FOR_PAGES } from './build/pages.mjs';
import { endWith, root } from './steps.mjs';

const source = join(root, 'scripts', 'playground');

/** @param folder which is created */
export async function writePlayground(folder) {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [{ in: join(source, 'page.mjs'), out: 'playground' }],
    ...FOR_PAGES,
    alias: { 'canticle/browser': join(root, 'dist/browser/index.js') },
    splitting: true,
    outdir: folder,
  });
  for (const name of ['index.html', 'playground.css'])
    await copyFile(join(source, name), join(folder, name));
  for (const name of ['inspector.js', 'inspector.css'])
    await writeFile(
      join(folder, name),
      gunzipSync(await readFile(join(root, 'dist', 'inspector', `${name}.gz`))),
    );
}

async function write() {
  await buildDist();
  await writePlayground(resolve(process.argv[2] ?? join(root, 'site', 'playground')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) endWith(write());
