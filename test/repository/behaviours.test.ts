/**
 * The book of facts (docs/behaviours.md): every fact that is cited is in it, every fact in it is cited, once, with
 * its sources. First the reading of citations is shown on texts, then all files are read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const BOOK = 'docs/behaviours';

const CODE = /\b([A-Z]{1,2}-[A-Z][A-Z0-9]{0,7})-(\d{3})\b/;
/** Between the ends of a range; it may go on in the next line of a comment. */
const RANGE = new RegExp(
  `${CODE.source}(?:[\\s*/]+(?:to|…|–)[\\s*/]+(?:${CODE.source}|\\d{3}\\b))?`,
  'g',
);
const TOPIC = /\b([A-Z]{1,2}-[A-Z][A-Z0-9]{0,7})-\*/g;

/** The facts that a text cites, with all between the ends of a range. */
function citations(text: string): string[] {
  return [...text.matchAll(RANGE)].flatMap(([range, topic, first, lastTopic, last]) => {
    if (range === `${topic}-${first}`) return [range];
    if (lastTopic !== topic || Number(last) <= Number(first))
      throw new Error(`${range.replace(/[\s*/]+/g, ' ')} is no range`);
    const count = Number(last) - Number(first) + 1;
    return Array.from(
      { length: count },
      (_, index) => `${topic}-${String(Number(first) + index).padStart(3, '0')}`,
    );
  });
}

const topicsOf = (text: string): string[] => [...text.matchAll(TOPIC)].map(([, topic]) => topic!);

describe('a citation', () => {
  test.each([
    ["it('is refused (X-ABC-004)', …)", ['X-ABC-004']],
    ['/** Twice (X-ABC-001, Y-V2-012): X-ABC-001. */', ['X-ABC-001', 'Y-V2-012', 'X-ABC-001']],
    ['(X-ABC-009 to X-ABC-011)', ['X-ABC-009', 'X-ABC-010', 'X-ABC-011']],
    ['X-ABC-001 … X-ABC-002.', ['X-ABC-001', 'X-ABC-002']],
    ['from X-ABC-001 to\n * X-ABC-002, and', ['X-ABC-001', 'X-ABC-002']],
    ['according to X-ABC-001 to the letter', ['X-ABC-001']],
    ['SHA-256, P-256, UTF-8, CIP-112 and 001-002', []],
  ])('is found in %j', (text, expected) => {
    expect(citations(text)).toEqual(expected);
  });

  test.each(['X-ABC-002 to X-ABC-001', 'X-ABC-001 to Y-ABC-002', 'X-ABC-001 to 002'])(
    '%s is invalid',
    (text) => {
      expect(() => citations(text)).toThrow(`${text} is no range`);
    },
  );

  test('of a topic does not cite a fact', () => {
    expect(citations('(X-ABC-*)')).toEqual([]);
    expect(topicsOf('(X-ABC-*, Y-V2-*)')).toEqual(['X-ABC', 'Y-V2']);
  });
});

/** Files whose citations count: all handwritten files except docs/behaviours and this test. */
function citingFiles(): string[] {
  const within = ['src', 'test', 'bench', 'scripts', 'examples', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.(ts|js|mjs|cjs|json|md|yaml)$/.test(file)),
  );
  return [...within, 'README.md', 'ARCHITECTURE.md'].filter(
    (file) =>
      !/(^|[\\/])(node_modules|generated|dist)[\\/]/.test(file) &&
      !file.startsWith(join(BOOK)) &&
      file !== join('test', 'repository', 'behaviours.test.ts'),
  );
}

/** `- **CODE** The fact. — `source`, `source`` */
const FACT = /^- \*\*([^*]+)\*\* .+[.`] — ((?:`[^`]+`(?:, )?)+)$/;

interface Fact {
  readonly code: string;
  readonly page: string;
  readonly sources: readonly string[];
}

/** A long row continues on lines that are indented by two spaces. */
const joined = (text: string): string => text.replace(/\n {2}(?=\S)/g, ' ');

const names = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

const pages = readdirSync(join(root, BOOK)).filter((page) => page !== 'sources.md');
const lines = pages.flatMap((page) =>
  joined(readFileSync(join(root, BOOK, page), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => ({ page, line })),
);
const facts = lines.flatMap(({ page, line }): Fact[] => {
  const [, code, sources] = FACT.exec(line) ?? [];
  return code === undefined ? [] : [{ code, page, sources: names(sources!) }];
});
const known = new Set(facts.map(({ code }) => code));

const without = <T>(all: Iterable<T>, some: Iterable<T>): T[] => {
  const left = new Set(some);
  return [...new Set(all)].filter((each) => !left.has(each)).sort();
};

describe('the pages of behaviours', () => {
  const read = citingFiles().map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }));

  test('contain each cited fact', () => {
    const missing = read.flatMap(({ file, text }) =>
      without(citations(text), known).map((code) => `${file} cites ${code}`),
    );
    expect(missing).toEqual([]);
  });

  test('contain no uncited facts', () => {
    const cited = read.flatMap(({ text }) => citations(text));
    expect(without(known, cited)).toEqual([]);
  });

  test('contain one line for each fact', () => {
    expect(lines.filter(({ line }) => !FACT.test(line))).toEqual([]);
    expect(facts.filter(({ code }) => !CODE.test(code))).toEqual([]);
    expect(facts.map(({ code }) => code)).toEqual([...known]);
  });

  test('name the files behind each fact, and no others', () => {
    const listed = joined(readFileSync(join(root, BOOK, 'sources.md'), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .map((line) => names(line) as [name: string, path?: string]);
    // Only observations have no file.
    const unusual = listed.filter((entry) => entry.length !== 2).map(([name]) => name);
    expect(unusual).toEqual(['observed on 3.5.10', 'observed on 3.6.0']);
    const filed = listed.filter(([, path]) => path !== undefined);
    expect(filed.filter(([name, path]) => !`/${path}`.endsWith(`/${name}`))).toEqual([]);
    const behind = facts.flatMap(({ sources }) => sources);
    const heard = listed.map(([name]) => name);
    expect(heard).toEqual([...new Set(heard)]);
    expect(without(behind, heard)).toEqual([]);
    expect(without(heard, behind)).toEqual([]);
  });

  test('are listed with the page of each topic', () => {
    const contents = readFileSync(join(root, `${BOOK}.md`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => {
        const page = /\]\(behaviours\/(.+)\)/.exec(line)?.[1];
        return names(line).map((topic) => `${topic} ${page}`);
      });
    const topics = facts.map(({ code, page }) => `${code.slice(0, -4)} ${page}`);
    expect([...contents].sort()).toEqual(without(topics, []));
    const cited = read.flatMap(({ text }) => topicsOf(text)).map((topic) => `${topic}-*`);
    expect(
      without(
        cited,
        [...known].map((code) => code.replace(/\d{3}$/, '*')),
      ),
    ).toEqual([]);
  });
});
