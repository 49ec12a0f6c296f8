// What a user can load of the built package, and what `import` finds of it.
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../steps.mjs';
import { posixOf } from './pack.mjs';

/** The files of src/ are entrances, and each in src/testing is one of its own; the command line is loaded by bin/ alone, as ESM. */
export async function entryPoints() {
  const testing = existsSync(join(root, 'src/testing'))
    ? await readdir(join(root, 'src/testing'))
    : [];
  return [
    'src/index.ts',
    'src/express.ts',
    ...testing
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => `src/testing/${file}`),
  ];
}

/** What `import` finds: the names of the CommonJS file, which Node reads from what esbuild wrote there for it. */
export async function writeModuleDoor(outdir, name, exports) {
  const code = JSON.stringify(codeOf(name));
  const named = exports.filter((each) => each !== 'default').sort();
  const lines = [];
  if (named.length > 0) lines.push(`export { ${named.join(', ')} } from ${code};`);
  if (exports.includes('default'))
    lines.push(`import entrance from ${code};`, 'export default entrance.default;');
  const file = join(outdir, 'esm', name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${lines.join('\n')}\n`);
}

/** From the place of a file in dist/esm to what has the same name in dist/cjs. */
export const codeOf = (name) =>
  `${'../'.repeat(posixOf(name).split('/').length)}cjs/${posixOf(name)}`;
