// Folders that many runs do without: the code of each is a part of a pack by itself, which is loaded when something of it is first
// used. Its files import each other as ever; what is imported from outside of it waits until then.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { root } from '../steps.mjs';

const source = join(root, 'src');

/**
 * Below src/, each with those in it that every run needs.
 * NOTE: nothing may use a name of one while it is loaded itself, as a class does that extends another (test/house/built-code.test.ts).
 */
const LATE = {
  'assembly/localnet': ['start-localnet.ts'],
  'assembly/worlds': [],
  bridge: [],
  client: [],
  'daml/archive': ['lf-type.ts'],
  'daml/dar': ['checked-packages.ts', 'released-packages.ts'],
  'daml/explanation': ['short-ids.ts'],
  'daml/lf': ['kept-code.ts', 'runtime', 'template-code.ts'],
  'daml/refusals': [],
  'daml/tracing': ['trace-diff.ts', 'trace-pictures.ts', 'trace-text.ts'],
  'daml/typing': [],
  'daml/upgrade': [],
  'http/faults': [],
  'http/hosts': [],
  'http/keycloak': [],
  'network/external': [],
  'network/inspection': [],
  'network/protobuf/definitions': [],
  'network/simulation': [],
  'network/tracing': [],
  'network/traffic': [],
  'network/worlds': [],
  recording: ['limits.ts'],
  scenario: ['faults.ts', 'generated', 'names.ts', 'world.ts'],
  'script/ide': [],
  'script/network': [],
  'script/questions': [],
  'services/control': [],
  'services/faults': [],
  'services/names': [],
  'services/pages': [],
  'services/registry': [],
  'services/scan': [],
  'services/sv': [],
  'services/validator': [],
  'services/wallet-app': [],
  'splice/founding': [],
  'splice/model': [],
  'splice/sv': [],
  'splice/wallet': [],
  'testing/upstream': ['upstream-setting.ts'],
};

const PREFIX = 'canticle:late/';
/** A file of such a folder as others see it, and the whole of one. */
const [SEEN, WHOLE] = ['late-seen', 'late-whole'];

const folders = Object.keys(LATE);
const isCode = (file) => /(?<!\.d)\.ts$/.test(file);
const codeAt = (folder, path) => resolve(folder, path).replace(/\.js$/, '.ts');
const isIn = (file, place) =>
  file === join(source, place) || file.startsWith(join(source, place) + sep);
const folderOf = (file) =>
  folders.find(
    (each) =>
      isCode(file) &&
      isIn(file, each) &&
      !LATE[each].some((needed) => isIn(file, join(each, needed))),
  );
const partOf = (folder) => folder.replaceAll('/', '-');

/** The parts as entry points for esbuild, and the plugin that knows them. */
export async function lateParts() {
  const exported = new Map(
    await Promise.all(folders.map(async (each) => [each, await exportedBy(each)])),
  );
  const everything = await shared();
  const entryPoints = folders.map((each) => ({
    in: PREFIX + partOf(each),
    out: `late/${partOf(each)}`,
  }));
  const plugin = {
    name: 'late',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind, resolveDir }) => {
        const file = codeAt(resolveDir, path);
        const folder = kind === 'dynamic-import' ? undefined : folderOf(file);
        if (folder === undefined || folder === folderOf(importer)) return undefined;
        // Each importer has it for itself, so that it is in the same chunk.
        const suffix = `?${relative(root, importer)}`;
        return { path: relative(root, file), namespace: SEEN, suffix, sideEffects: false };
      });
      onLoad({ filter: /./, namespace: SEEN }, ({ path }) => {
        const file = join(root, path);
        const folder = folderOf(file);
        const names = exported.get(folder).get(file) ?? [];
        const told = names.map(({ name, outside }) => `${outside} as ${name}`);
        return { contents: `export { ${told.join(', ')} } from '${PREFIX}${partOf(folder)}';` };
      });
      onResolve({ filter: new RegExp(`^${PREFIX}`) }, ({ path, kind }) =>
        kind === 'entry-point' ? { path, namespace: WHOLE } : { path, external: true },
      );
      onLoad({ filter: /./, namespace: WHOLE }, ({ path }) => {
        const folder = folders.find((each) => PREFIX + partOf(each) === path);
        const files = [...exported.get(folder)].map(([file, names]) => {
          const told = names.map(({ name, outside }) => `${name} as ${outside}`);
          return `export { ${told.join(', ')} } from ${JSON.stringify(file)};`;
        });
        return { contents: [...everything, ...files].join('\n'), resolveDir: source };
      });
    },
  };
  return { plugin, entryPoints };
}

/** What all runs load, as each late part says that it needs: esbuild would put apart what some need and others do not. */
async function shared() {
  const main = await readFile(join(source, 'index.ts'), 'utf8');
  const files = [...main.matchAll(/ from '(.+)';$/gm)].map(([, file]) => file);
  const isLate = (file) => folderOf(codeAt(source, file)) !== undefined;
  return files.filter((file) => !isLate(file)).map((file) => `import ${JSON.stringify(file)};`);
}

/** The names that files of a folder export, by their paths, and what each is called outside: two files may have the same. */
async function exportedBy(folder) {
  const { build } = await import('esbuild');
  const from = join(source, folder);
  const files = (await readdir(from, { recursive: true }))
    .map((file) => join(from, file))
    .filter((file) => folderOf(file) === folder);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.sort(),
    format: 'esm',
    metafile: true,
    write: false,
    outdir: join(root, 'dist'),
  });
  const found = Object.values(metafile.outputs).filter(({ exports }) => exports.length > 0);
  const all = found.flatMap(({ exports }) => exports);
  const isOne = (name) => all.indexOf(name) === all.lastIndexOf(name);
  const called = (name, place) => (isOne(name) ? name : `${name}_${place}`);
  return new Map(
    found.map(({ entryPoint, exports }, place) => [
      join(root, entryPoint),
      exports.map((name) => ({ name, outside: called(name, place) })),
    ]),
  );
}

export const isLatePart = (name) => name.startsWith('late/');
export const roomOf = (part) => /^late\/(\w+)/.exec(part)[1];

/** Has a file of the built code take late parts when it first uses them. */
export async function takeLate(file) {
  const code = await readFile(file, 'utf8');
  const taken = [];
  const late = code.replace(
    /^var (import_\w+) = require\("canticle:late\/([^"]+)"\);$/gm,
    (_, name, part) => {
      taken.push(name);
      return `var ${name} = require.late("${part}");`;
    },
  );
  if (taken.length === 0) return;
  const used = new RegExp(`\\b(${taken.join('|')})\\.`, 'g');
  await writeFile(file, late.replace(used, '($1()).'));
}

/** Lets a late part have only what it uses: the rest of what it says that it needs is there, or is needed by nobody. */
export async function needLess(file) {
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace(/^require\("\.[^"]+"\);$/gm, ''));
}
