/**
 * Limits of sizes, so that readers find code quickly: folders have at most 20 files, and files of src at most 400 lines. No folder is in
 * a circle of imports, which include type imports. Each rule is also applied to a list of files that breaks it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import ts from 'typescript';

const root = posix.join(__dirname.split(sep).join('/'), '..', '..');
const MOST_FILES = 20;
const MOST_LINES = 400;

/** Texts of files by their paths from the root, with `/`. */
type Repository = ReadonlyMap<string, string>;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

function crowdedFolders(repository: Repository): string[] {
  const files = new Map<string, number>();
  for (const path of repository.keys())
    files.set(folderOf(path), (files.get(folderOf(path)) ?? 0) + 1);
  return [...files]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder} has ${count} files: move some into folders.`);
}

const linesOf = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function longFiles(repository: Repository): string[] {
  return [...repository]
    .filter(([path, text]) => path.startsWith('src/') && linesOf(text) > MOST_LINES)
    .map(([path]) => path);
}

/**
 * Folders that import each other in a circle. In each folder, it checks the files and subfolders; a subfolder counts as one node with all
 * its files.
 */
function circles(repository: Repository): string[] {
  const importsIn = new Map<string, Map<string, Set<string>>>();
  for (const [file, text] of repository)
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const path = posix.join(folderOf(file), fileName);
      const imported = ['.ts', '.tsx']
        .map((end) => path.replace(/\.js$/, end))
        .find((each) => repository.has(each));
      if (!fileName.startsWith('.') || imported === undefined) continue;
      const [folder, from, to] = whereTheyPart(file, imported);
      const within = importsIn.get(folder) ?? new Map<string, Set<string>>();
      importsIn.set(folder, within.set(from, (within.get(from) ?? new Set()).add(to)));
    }
  return [...importsIn].flatMap(([folder, imports]) =>
    [...imports.keys()]
      .filter((name) => name.endsWith('/') && reached(imports, name).has(name))
      .map((name) => `${folder}/${name} is in a circle of imports.`),
  );
}

/** The last common folder of two files, and the next part of each path: a folder's name ends with `/`. */
function whereTheyPart(file: string, other: string): readonly [string, string, string] {
  const [a, b] = [file.split('/'), other.split('/')];
  let at = 0;
  while (at < a.length - 1 && at < b.length - 1 && a[at] === b[at]) at += 1;
  const next = (way: readonly string[]) => way[at]! + (at < way.length - 1 ? '/' : '');
  return [a.slice(0, at).join('/'), next(a), next(b)];
}

function reached(imports: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const found = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop())
    for (const next of imports.get(name) ?? [])
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  return found;
}

const repository: Repository = new Map(
  ['src', 'test', 'bench']
    .flatMap((top) =>
      readdirSync(posix.join(root, top), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map(({ parentPath, name }) => posix.join(parentPath.split(sep).join('/'), name)),
    )
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((path) => !/\/(generated|facts)\//.test(path))
    .map((path) => [path, readFileSync(posix.join(root, path), 'utf8')]),
);

it('the test reads the files of the repository', () => {
  expect([...repository.keys()]).toEqual(
    expect.arrayContaining(['src/daml/model/values.ts', 'test/repository/sizes.test.ts']),
  );
});

describe('a folder has at most twenty files', () => {
  const files = (count: number): Repository =>
    new Map(Array.from({ length: count }, (_, n) => [`src/daml/model/file-${n}.ts`, '']));

  it('in this repository', () => expect(crowdedFolders(repository)).toEqual([]));
  it('accepts twenty files', () => expect(crowdedFolders(files(20))).toEqual([]));
  it('rejects more', () =>
    expect(crowdedFolders(files(21))).toEqual([
      'src/daml/model has 21 files: move some into folders.',
    ]));
});

describe('a file of src has at most 400 lines', () => {
  const file = (lines: number): Repository =>
    new Map([['src/daml/model/values.ts', 'const x = 1;\n'.repeat(lines)]]);

  it('in this repository', () => expect(longFiles(repository)).toEqual([]));
  it('accepts 400 lines', () => expect(longFiles(file(400))).toEqual([]));
  it('rejects more', () => expect(longFiles(file(401))).toEqual(['src/daml/model/values.ts']));
});

describe('folders do not import each other in a cycle', () => {
  const of = (files: Record<string, string>): Repository => new Map(Object.entries(files));

  it('in this repository', () => expect(circles(repository)).toEqual([]));

  it.each([
    `import { x } from '../b/y.js';`,
    `import type { X } from '../b/y.js';`,
    `export { x } from '../b/y.js';`,
    `let x: import('../b/y.js').X;`,
    `const x = await import('../b/y.js');`,
  ])('rejects %s', (code) => {
    const found = circles(
      of({
        'src/a/x.ts': code,
        'src/b/y.ts': `import { z } from '../z.js';`,
        'src/z.ts': `import type { X } from './a/x.js';`,
      }),
    );
    expect(found).toEqual([
      'src/a/ is in a circle of imports.',
      'src/b/ is in a circle of imports.',
    ]);
  });

  it('accepts files that import each other, and those of outer folders', () => {
    const files = of({
      'src/a/x.ts': `import { y } from './y.js';`,
      'src/a/y.ts': `import type { X } from './x.js'; import { z } from '../z.js';`,
      'src/z.ts': '',
      'src/top.ts': `import { x } from './a/x.js';`,
    });
    expect(circles(files)).toEqual([]);
  });
});
