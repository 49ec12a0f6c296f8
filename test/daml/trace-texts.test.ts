/** Traces side by side, and their texts as people are shown them: each limit met and passed. */
import { diffTraces } from '../../src/daml/tracing/trace-diff.js';
import { nameOf, partyName, plain, shortened, shortId } from '../../src/daml/tracing/shown-text.js';

const node = (id: number, more: object = {}) => ({
  id,
  depth: 0,
  kind: 'create',
  outcome: 'done',
  template: '#p:M:A',
  witnesses: [],
  ...more,
});
const trace = (...nodes: readonly object[]) => ({ nodes }) as never;
const changes = (left: readonly object[], right: readonly object[]) =>
  diffTraces(trace(...left), trace(...right)).map(({ change, before, after, fields }) =>
    [change, before, after, ...fields.map(({ field }) => field)].filter(
      (each) => each !== undefined,
    ),
  );

describe('two traces', () => {
  const A = node(0);
  const B = node(1, { template: '#p:M:B' });

  it('have no differences if only contract ids differ', () => {
    const made = (digit: string) => node(0, { contractId: `00${digit.repeat(64)}` });
    expect(changes([made('a')], [made('b')])).toEqual([]);
    const used = (digit: string) => [
      made(digit),
      node(1, { kind: 'exercise', argument: { id: `00${digit.repeat(64)}` } }),
    ];
    expect(changes(used('a'), used('b'))).toEqual([]);
  });

  it('list added, removed and changed nodes, in the order of the second trace', () => {
    expect(changes([A], [A, { ...B, id: 1 }])).toEqual([['added', 1]]);
    expect(changes([A, B], [{ ...B, id: 0 }])).toEqual([['removed', 0]]);
    expect(changes([A], [node(0, { argument: 1 })])).toEqual([['changed', 0, 0, 'argument']]);
    expect(changes([A], [node(0, { template: '#p:M:C' })])).toEqual([
      ['removed', 0],
      ['added', 0],
    ]);
  });

  it('compare the children of common nodes, and list all nodes below a node of one side only', () => {
    const child = (id: number, parent: number) => node(id, { parent, template: '#p:M:B' });
    expect(changes([A], [A, child(1, 0)])).toEqual([['added', 1]]);
    expect(changes([A, child(1, 0)], [])).toEqual([
      ['removed', 0],
      ['removed', 1],
    ]);
  });

  it('match up to a thousand siblings by content, and further siblings by position', () => {
    const row = (count: number) =>
      Array.from({ length: count }, (_, id) => node(id, { template: `#p:M:T${id}` }));
    const without = (count: number) => row(count).slice(1);
    expect(changes(row(1_000), without(1_000))).toEqual([['removed', 0]]);
    expect(changes(row(1_001), without(1_001))).toHaveLength(1_001);
  });
});

describe('texts of a trace', () => {
  it('escape characters that a terminal or a page interprets', () => {
    expect(plain('a\u001b[31m\u202eb\u2028')).toBe('a\\u001b[31m\\u202eb\\u2028');
    expect(plain('äé ☃')).toBe('äé ☃');
  });

  it('are cut at the allowed length', () => {
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('abcd', 3)).toBe('abc…');
    expect(shortId('0123456789ab')).toBe('0123456789ab');
    expect(shortId('0123456789abc')).toBe('0123456789ab…');
  });

  it('show short names of parties and templates', () => {
    expect(partyName('alice::1220ab')).toBe('alice');
    expect(nameOf(node(0) as never)).toBe('M:A');
    expect(nameOf(node(0, { interface: '#i:N:I' }) as never)).toBe('N:I');
  });
});
