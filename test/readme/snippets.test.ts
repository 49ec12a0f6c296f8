/** The reader of snippets, on pages small enough to see through. */
import { snippetsOf } from './snippets.js';

const page = (...lines: string[]) => lines.join('\n');

it('gives each block its section, tag, text and line', () => {
  const text = page('# One', '', '```sh', 'a', '', 'b', '```', '## Two', '```ts', 'c', '```', '');
  expect(snippetsOf(text)).toEqual([
    { section: 'One', tag: 'sh', text: 'a\n\nb', line: 3 },
    { section: 'Two', tag: 'ts', text: 'c', line: 9 },
  ]);
});

it('takes a comment in a block for no heading', () => {
  const text = page('# One', '```sh', '# not a heading', '```', '```sh', 'x', '```');
  expect(snippetsOf(text).map(({ section }) => section)).toEqual(['One', 'One']);
});

it('shows an untagged block with an empty tag, so that it does not pass unseen', () => {
  expect(snippetsOf(page('```', 'x', '```'))).toMatchObject([{ tag: '' }]);
});

it('refuses a block that is never closed', () => {
  expect(() => snippetsOf(page('text', '```sh', 'x'))).toThrow('line 2 is never closed');
});
