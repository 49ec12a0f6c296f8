// Bundles the type declarations of the entry points: once for `require`, and as re-exports for `import`.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { runNode, tool } from '../steps.mjs';
import { codeOf, entryPoints } from './entrances.mjs';

/** Bundles each entry point, with shared chunks: a user's compiler then reads about ten files, instead of hundreds. */
export async function bundleDeclarations(outdir) {
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
    plugins: [dts(), withTabs],
    external: (id) => !/^[./]|^[A-Za-z]:/.test(id),
    // Warnings name types that no entry point exports. They are internal.
    onwarn: () => undefined,
  });
  await bundled.write({
    dir: join(outdir, 'cjs'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types/[name]-[hash].d.ts',
  });
  await rm(plain, { recursive: true });
  for (const [name] of named) await writeModuleTypes(outdir, `${name}.d.ts`);
}

/** Tabs save 80 kB of spaces. */
const withTabs = {
  name: 'with-tabs',
  renderChunk: (code) => code.replace(/^(?: {4})+/gm, ({ length }) => '\t'.repeat(length / 4)),
};

/**
 * Writes the types for `import`. Usually they re-export those of CommonJS. They are copies if they augment the module of another package,
 * use classes of msw, or have a default export.
 */
async function writeModuleTypes(outdir, name) {
  const text = await readFile(join(outdir, 'cjs', name), 'utf8');
  const isItsOwn = /^declare module|\bas default\b| from 'msw'/m.test(text);
  const types = posix.join(
    posix.dirname(codeOf(name)),
    posix.relative(posix.dirname(name), 'types'),
  );
  const own = text.replace(/'(?:\.\.?\/)+types\//g, `'${types}/`);
  const file = join(outdir, 'esm', name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    isItsOwn ? own : `export * from '${codeOf(name).replace(/d\.ts$/, 'js')}';\n`,
  );
}
