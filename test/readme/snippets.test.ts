/** The reader of snippets, on pages small enough to see through. */
import { snippetsOf } from './snippets.js';

const page = (...lines: string[]) => lines.join('\n');

it('returns the section, tag, text and line of each block', () => {
  const text = page('# One', '', '```sh', 'a', '', 'b', '```', '## Two', '```ts', 'c', '```', '');
  expect(snippetsOf(text)).toEqual([
    { section: 'One', tag: 'sh', text: 'a\n\nb', line: 3 },
    { section: 'Two', tag: 'ts', text: 'c', line: 9 },
  ]);
});

it('does not read a comment in a block as a heading', () => {
  const text = page('# One', '```sh', '# not a heading', '```', '```sh', 'x', '```');
  expect(snippetsOf(text).map(({ section }) => section)).toEqual(['One', 'One']);
});

it('returns an empty tag for an untagged block', () => {
  expect(snippetsOf(page('```', 'x', '```'))).toMatchObject([{ tag: '' }]);
});

it('rejects a block that is not closed', () => {
  expect(() => snippetsOf(page('text', '```sh', 'x'))).toThrow('line 2 is never closed');
});
