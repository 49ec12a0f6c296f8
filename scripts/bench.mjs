// `npm run bench [-- name…]`: bundles each bench/*.ts and runs it against the current sources. A benchmark
// measures and prints; nothing here decides what is fast enough.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { cache, endWith, generate, root, runNode } from './steps.mjs';

async function bench(wanted) {
  await generate();
  const files = (await readdir(join(root, 'bench'))).filter((file) => file.endsWith('.ts')).sort();
  const names = files.map((file) => basename(file, '.ts'));
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(`no such benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  }
  for (const name of wanted.length > 0 ? wanted : names) {
    const outfile = join(cache, 'bench', `${name}.mjs`);
    await build({
      absWorkingDir: root,
      entryPoints: [`bench/${name}.ts`],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      alias: { canticle: './src/index.ts' },
      logLevel: 'warning',
    });
    console.log(`bench: ${name}`);
    await runNode(['--enable-source-maps', '--expose-gc', outfile]);
  }
}

endWith(bench(process.argv.slice(2)));
