// Declarations of the entrances: each once, for `require`, and what says so to those who `import`.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { runNode, tool } from '../steps.mjs';
import { codeOf, entryPoints } from './entrances.mjs';

/** Of each entrance, with what they share in chunks: a user's compiler reads ten files in place of all that there are. */
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
    plugins: [dts()],
    external: (id) => !/^[./]|^[A-Za-z]:/.test(id),
    // It says which types no entrance has by name; those need none.
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

/** Types for `import`: those of CommonJS, unless it matters which: they add to a module of someone else's, name its classes, or have a default. */
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
