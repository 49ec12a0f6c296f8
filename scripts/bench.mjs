// `npm run bench [-- name…]`: bundles each benchmark of bench/ and runs it against the current sources. A benchmark
// measures and prints; nothing here decides what is fast enough.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { cache, endWith, generate, root, runNode } from './steps.mjs';

async function bench(wanted) {
  await generate();
  const all = await readdir(join(root, 'bench'), { recursive: true });
  const files = all.filter((file) => file.endsWith('.ts') && !file.startsWith('measure')).sort();
  const fileOf = new Map(files.map((file) => [basename(file, '.ts'), file]));
  const names = [...fileOf.keys()];
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(`no such benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  }
  for (const name of wanted.length > 0 ? wanted : names) {
    const outfile = join(cache, 'bench', `${name}.mjs`);
    await build({
      absWorkingDir: root,
      entryPoints: [`bench/${fileOf.get(name)}`],
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
