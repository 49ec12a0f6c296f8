/** The cached code of two threads of `canticle test`, both of which store it. */
import { CodeFiles } from '../../src/assembly/cache/code-files.js';

const PACKAGE = 'ab'.repeat(32);
const unitOf = (name: string) => ({
  ...{ arity: 0, source: `return ['${name}'];`, name, lambdas: 0, leaves: [] },
  ...{ constants: [], definitions: [] },
});

it('keeps code that another process stored after the read', () => {
  const files = new Map<string, Uint8Array>();
  const store = {
    read: (name: string) => files.get(name),
    write: (name: string, bytes: Uint8Array) => void files.set(name, bytes),
  };
  const threads = ['first', 'second'].map((name) => ({
    name,
    code: new CodeFiles(store, 'compiler'),
  }));
  for (const { code } of threads) expect(code.of(PACKAGE).has('first 0')).toBe(false);
  for (const { name, code } of threads)
    for (let index = 0; index < 8; index += 1)
      code.of(PACKAGE).add(`${name} ${index}`, unitOf(`${name}-${index}`));
  expect(threads.map(({ code }) => code.save())).toEqual([true, true]);
  const next = new CodeFiles(store, 'compiler').of(PACKAGE);
  for (const { name } of threads) expect(next.get(`${name} 7`)).toEqual(unitOf(`${name}-7`));
});
