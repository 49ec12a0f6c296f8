// The other files of the built package: the pages that it serves, and licences.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../steps.mjs';

/** The options of esbuild for code that pages load. */
export const FOR_PAGES = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Libraries that are bundled; their licences come with them. */
const BUNDLED = ['json-schema-faker', 'pako'];

export async function addLicences(outdir) {
  for (const name of BUNDLED)
    await cp(join(root, 'node_modules', name, 'LICENSE'), join(outdir, `${name}.LICENSE`));
}

/** The viewer of the documents in a browser: see src/assembly/pages/reader-files.ts. */
export async function addReader(outdir) {
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

/** The page that shows the network: see src/inspector/assets.ts. */
export async function addInspector(outdir) {
  const { build } = await import('esbuild');
  const options = JSON.parse(await readFile(join(root, 'src/inspector/bundling.json'), 'utf8'));
  const absWorkingDir = join(root, 'src', 'inspector', 'page');
  const to = join(outdir, 'inspector');
  const made = await build({ ...options, absWorkingDir, outdir: to, write: false });
  await mkdir(to, { recursive: true });
  for (const { path, contents } of made.outputFiles)
    await writeFile(`${path}.gz`, gzipSync(contents, { level: 9 }));
  await cp(join(root, 'node_modules', 'preact', 'LICENSE'), join(to, 'preact.LICENSE'));
}
