/** The pages of docs/reference are as the code says; and in the packed package every link of a page leads somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { ensureBuilt, packed, root, run } from './built-package.js';

beforeAll(ensureBuilt, 60_000);

it('matches the code, and each public name and member has a doc comment', () => {
  expect(run('node', ['scripts/reference.mjs', '--check'], root)).toBe('');
}, 60_000);

describe('the links of packed files', () => {
  const home = useTemporaryFolder();
  let listed: readonly string[];
  beforeAll(() => {
    listed = packed(home()).files.map(({ path }) => path);
  });
  /** GitHub's anchor of a heading. */
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
  const anchorsOf = (page: string) =>
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!));
  const withoutCode = (text: string) =>
    text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

  it('lead to packed pages, files and headings', () => {
    const files = listed;
    const isThere = (path: string) =>
      files.includes(path) || files.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));
    const pages = files.filter((file) => file.endsWith('.md') && existsSync(join(root, file)));
    expect(pages.length).toBeGreaterThan(25);
    const broken = pages.flatMap((page) =>
      [...withoutCode(textOf(page)).matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^https?:/.test(target))
        .filter((target) => {
          const [path, heading] = target.split('#');
          const file = path ? posix.join(posix.dirname(page), path) : page;
          if (!isThere(file)) return true;
          return heading !== undefined && !anchorsOf(file).includes(heading);
        })
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('have no targets among the pictures, which are only in the repository', () => {
    const shown = listed
      .filter((file) => file.endsWith('.md'))
      .flatMap((page) =>
        [...withoutCode(textOf(page)).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target]) =>
          posix.join(posix.dirname(page), target!),
        ),
      );
    expect(shown.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const files = readdirSync(join(root, 'docs', 'pictures')).map(
      (name) => `docs/pictures/${name}`,
    );
    expect([...new Set(shown)].sort()).toEqual(files.sort());
  });
});
