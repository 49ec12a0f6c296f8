// `npm run fixtures`: bundles fixtures/worlds and runs it against the current sources. It writes fixtures/messages;
// test/testing/fixtures.test.ts checks that the files are current.
import { join } from 'node:path';
import { build } from 'esbuild';
import { cache, endWith, generate, root, runNode } from './steps.mjs';

async function fixtures() {
  await generate();
  const outfile = join(cache, 'fixtures.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['fixtures/worlds/write.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    alias: { canticle: './src/index.ts' },
    logLevel: 'warning',
  });
  await runNode(['--enable-source-maps', outfile]);
}

endWith(fixtures());
