/** The releases of the APIs at one place, and the documents of each release of Splice. */
import { baseOf, documentedIn, perRelease, servicesIn } from '../../src/spec/splice/facts.js';
import { cantonIn, releaseIn, spliceIn } from '../../src/spec/splice/spoken.js';
import { SPLICE_VERSIONS, spliceReleaseOf } from '../../src/spec/versions.js';

it('without a statement, each API has its default release', () => {
  for (const spoken of [undefined, {}, '3.4'] as const)
    for (const api of ['scan', 'validator', 'wallet', 'names', 'sv'] as const)
      expect(spliceIn(api, spoken)).toBe('0.7.4');
  expect([cantonIn(), cantonIn({}), cantonIn('3.4'), cantonIn({ apiVersion: '3.6' })]).toEqual([
    '3.5',
    '3.5',
    '3.4',
    '3.6',
  ]);
});

it('a validator has its own release, or that of Scan', () => {
  const both = { apiVersion: '3.6', spliceVersion: '0.9', validatorVersion: '0.8' } as const;
  const apis = ['ledger', 'scan', 'sv', 'registry', 'validator', 'wallet', 'names'] as const;
  const releases = (spoken: Parameters<typeof releaseIn>[1]) =>
    apis.map((api) => releaseIn(api, spoken));
  expect(releases(both)).toEqual(['3.6', '0.9', '0.9', '0.9', '0.8', '0.8', '0.8']);
  expect(releases({ spliceVersion: '0.9' })).toEqual(['3.5', ...apis.slice(1).map(() => '0.9')]);
});

it('an API without a document in a release has the latest one before', () => {
  for (const version of SPLICE_VERSIONS)
    for (const api of spliceReleaseOf('0.7.4').documents) {
      const found = documentedIn(api, version);
      const own = spliceReleaseOf(version).documents.includes(api);
      const earlier = SPLICE_VERSIONS.slice(0, SPLICE_VERSIONS.indexOf(version)).reverse();
      const before = earlier.find((each) => spliceReleaseOf(each).documents.includes(api));
      expect(found).toBe(own ? version : before);
    }
});

it('a service refers to the same service of the base, or to all of its services', () => {
  const row = (operationId: string) =>
    ({ operationId, method: 'get', path: `/${operationId}`, responses: {} }) as const;
  const one = { schemas: { A: { type: 'string' } }, operations: [row('a')] } as const;
  const other = { schemas: { B: { type: 'string' } } } as const;
  expect(baseOf({ one, other }, 'one')).toEqual(one);
  expect(baseOf({ one, other }, 'other')).toEqual({ ...other, operations: [] });
  expect(baseOf({ one, other }, 'new')).toEqual({
    schemas: { ...one.schemas, ...other.schemas },
    operations: one.operations,
  });
});

it('services of an API may not define a message differently', () => {
  const of = (type: 'string' | 'integer') => ({ schemas: { A: { type } } }) as const;
  expect(baseOf({ one: of('string'), other: of('string') }, 'new').schemas).toEqual({
    A: { type: 'string' },
  });
  expect(() => baseOf({ one: of('string'), other: of('integer') }, 'new')).toThrow(
    'Failed to gather schemas: two different messages are named A.',
  );
});

it('the base has the services of the code, and other releases their own', () => {
  const first = () => ({ $comment: 'No service.', one: {}, other: {} });
  expect(servicesIn('scan', '0.7.4', first)).toEqual([{}, {}]);
  for (const version of ['0.8', '0.9'] as const)
    expect(servicesIn('scan', version, first)).toHaveLength(1);
});

it('what is made for a release is made once', () => {
  const build = jest.fn((version: string) => ({ version }));
  const of = perRelease(build);
  expect([of('0.8'), of('0.9'), of('0.8')].map(({ version }) => version)).toEqual([
    '0.8',
    '0.9',
    '0.8',
  ]);
  expect(of('0.8')).toBe(of('0.8'));
  expect(build).toHaveBeenCalledTimes(2);
});
