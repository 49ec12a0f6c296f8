/** How deep JSON of a recording is read. */
import { jsonIn } from '../../src/recording/har.js';
import { withoutSecretsOfJson } from '../../src/recording/secret-json.js';

const MAX_JSON_DEPTH = 1000;
const MAX_INSIDE = 4;

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('JSON may have up to 1,000 levels', () => {
  expect(jsonIn(lists(MAX_JSON_DEPTH))).toBeDefined();
  expect(jsonIn(lists(MAX_JSON_DEPTH + 1))).toBeUndefined();
  // Brackets in a text do not count as levels.
  expect(jsonIn(JSON.stringify(lists(MAX_JSON_DEPTH + 1)))).toBeDefined();
});

describe('secrets in JSON inside JSON texts', () => {
  const nested = (levels: number): string => {
    let text = JSON.stringify({ open: 'shown', password: 'hunter2' });
    for (let level = 0; level < levels; level += 1) text = JSON.stringify({ text });
    return text;
  };
  const cleaned = (text: string) => {
    const notes: string[] = [];
    const left = withoutSecretsOfJson(text, (what) => notes.push(what));
    return { left, notes };
  };

  test('are removed in up to four levels, and other data stays', () => {
    const { left, notes } = cleaned(nested(MAX_INSIDE));
    expect(left).not.toContain('hunter2');
    expect(left).toContain('shown');
    expect(notes).toEqual(['field password']);
  });

  test('are removed with the whole text below four levels', () => {
    const { left, notes } = cleaned(nested(MAX_INSIDE + 1));
    expect(left).not.toContain('hunter2');
    expect(left).not.toContain('shown');
    expect(notes).toEqual(['JSON that is nested too deep']);
  });
});
