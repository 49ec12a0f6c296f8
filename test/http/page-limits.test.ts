/** How long the names may be by which this machine is called, and kinds of JSON. */
import { isDisguised } from '../../src/http/pages/disguised-body.js';
import { PageGuard } from '../../src/http/pages/page-guard.js';

const guard = new PageGuard([]);
const isTaken = (host: string) =>
  guard.refusal('scan', (name) => (name === 'host' ? host : undefined)) === undefined;

it.each([
  ['one label', (length: number) => 'a'.repeat(length), 63],
  ['a name below localhost', (length: number) => `${'a'.repeat(length)}.localhost`, 240],
  ['a name below internal', (length: number) => `${'a'.repeat(length)}.internal`, 240],
] as const)('%s is of this machine up to its longest', (_, named, longest) => {
  expect(isTaken(named(longest))).toBe(true);
  expect(isTaken(named(longest + 1))).toBe(false);
});

it('an origin below localhost is of this machine up to 240 characters', () => {
  const isFamiliar = (length: number) =>
    guard.isFamiliar(`http://${'a'.repeat(length)}.localhost:3000`);
  expect([isFamiliar(240), isFamiliar(241)]).toEqual([true, false]);
});

it('JSON of a kind of its own has a name of up to 100 characters', () => {
  const operation = { api: 'control', request: { contentType: 'application/json' } };
  const isHidden = (type: string) =>
    isDisguised(() => type, operation as Parameters<typeof isDisguised>[1], Buffer.from('{}'));
  expect(isHidden(`application/${'a'.repeat(100)}+json`)).toBe(false);
  expect(isHidden(`application/${'a'.repeat(101)}+json`)).toBe(true);
});
