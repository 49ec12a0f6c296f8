/** The effects of a simulated transaction, from its trace. */
import { effectsOf, missingIn } from '../../src/network/simulation/effects.js';

const node = (id: number, kind: string, more: object = {}) => ({
  id,
  depth: 0,
  kind,
  event: true,
  outcome: 'done',
  contractId: `c${id}`,
  template: '#p:M:T',
  witnesses: [],
  ...more,
});
const seenBy = (...parties: readonly (readonly [string, ...string[]])[]) => ({
  witnesses: parties.map(([party, ...reasons]) => ({ party, reasons })),
});
const effects = (...nodes: readonly object[]) =>
  effectsOf({ nodes, hosts: { alice: ['one'] } } as never);

it('excludes parties that see a contract by disclosure only', () => {
  const { witnesses } = effects(
    node(0, 'exercise', {
      choice: 'Take',
      consuming: true,
      ...seenBy(['alice', 'signatory'], ['bob', 'controller', 'disclosed'], ['carol', 'disclosed']),
    }),
  );
  const exercised = [{ contractId: 'c0', choice: 'Take', consuming: true }];
  expect(witnesses).toEqual([
    { party: 'alice', participants: ['one'], created: [], exercised },
    { party: 'bob', participants: [], created: [], exercised },
    { party: 'carol', participants: [], created: [], exercised: [] },
  ]);
});

it('reports creates and archivals, except for transient contracts', () => {
  const { created, archived } = effects(
    node(0, 'create'),
    node(1, 'create'),
    node(2, 'exercise', { contractId: 'c1', consuming: true }),
    node(3, 'exercise', { consuming: true }),
    node(4, 'exercise', { consuming: false }),
    node(5, 'create', { event: undefined }),
  );
  expect(created.map(({ contractId }) => contractId)).toEqual(['c0']);
  expect(archived.map(({ contractId }) => contractId)).toEqual(['c3']);
});

it('returns the results of the root nodes', () => {
  const { returned } = effects(
    node(0, 'exercise', { choice: 'Get', result: 5 }),
    node(1, 'exercise', { choice: 'Inner', parent: 0, result: 6 }),
    node(2, 'create'),
  );
  expect(returned).toEqual([{ contractId: 'c0', choice: 'Get', result: 5 }, { contractId: 'c2' }]);
});

it('names only the missing authorizers of the rejected node', () => {
  const authority = (missing: readonly string[]) => ({ authority: { had: [], missing } });
  expect(
    missingIn({
      nodes: [
        node(0, 'exercise', authority(['a'])),
        node(1, 'exercise', { ...authority(['b']), culprit: true }),
        node(2, 'exercise', { ...authority([]), culprit: true }),
      ],
    } as never),
  ).toEqual([{ parties: ['b'], node: 1 }]);
});
