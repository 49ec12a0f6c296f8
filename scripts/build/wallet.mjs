// Writes dist/wallet: the wallet in pages as an ES module, as CommonJS, and as the script that Playwright adds to pages.
import { join } from 'node:path';
import { root } from '../steps.mjs';
import { WALLET } from './entrances.mjs';

const FORMS = [
  { format: 'esm', name: 'wallet.mjs' },
  { format: 'cjs', name: 'wallet.cjs' },
  { format: 'iife', name: 'page.js', globalName: 'CanticleWallet' },
];

export async function writeWallet(outdir) {
  const { build } = await import('esbuild');
  await Promise.all(
    FORMS.map(({ name, ...form }) =>
      build({
        ...form,
        absWorkingDir: root,
        bundle: true,
        entryPoints: [WALLET],
        platform: 'neutral',
        target: 'es2022',
        minifyWhitespace: true,
        minifySyntax: true,
        lineLimit: 160,
        legalComments: 'none',
        logLevel: 'warning',
        outfile: join(outdir, 'wallet', name),
      }),
    ),
  );
}
