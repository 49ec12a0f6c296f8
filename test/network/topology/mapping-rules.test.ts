/** The signers that a topology mapping needs, given the mapping in force before it (B-EXT-035, B-EXT-038, B-EXT-040). */
import {
  isRootDelegation,
  mappedKeys,
  mayDelegateFor,
  memberUid,
  requiredSigners,
  selfAuthorizingKey,
  shownMapping,
  uniqueKey,
} from '../../../src/network/topology/mapping-rules.js';
import type {
  PartyHost,
  PartyHosting,
  TopologyMapping,
} from '../../../src/network/topology/party-hosting.js';
import type { PartyKey } from '../../../src/network/topology/party-keys.js';

const key = (fingerprint: string, usage: readonly number[] = [4]): PartyKey => ({
  fingerprint,
  format: 4,
  publicKey: new Uint8Array(),
  usage,
  keySpec: 1,
});
const host = (name: string, permission: PartyHost['permission'] = 'confirmation'): PartyHost => ({
  participantId: `${name}::ns-${name}`,
  permission,
});
const hosting = (
  hosts: readonly PartyHost[],
  more: Partial<PartyHosting> = {},
): TopologyMapping => ({
  kind: 'PartyToParticipant',
  party: 'alice::party',
  threshold: 1,
  hosts,
  ...more,
});
const before = (mapping: TopologyMapping, replaces = true) => ({ mapping, replaces });
const keysOf = (...keys: readonly PartyKey[]) => ({ keys, threshold: 1 });

describe('the hosting of a party', () => {
  const one = hosting([host('one')]);
  it.each<[string, TopologyMapping, TopologyMapping, object]>([
    ['no change: the party', one, one, { clauses: [['party']], keys: [] }],
    [
      'another threshold: the party',
      one,
      hosting([host('one')], { threshold: 2 }),
      { clauses: [['party']], keys: [] },
    ],
    [
      'another host: the party and the host',
      one,
      hosting([host('one'), host('two')]),
      { clauses: [['party'], ['ns-two']], keys: [] },
    ],
    [
      'a higher permission: the party and the host',
      one,
      hosting([host('one', 'submission')]),
      { clauses: [['party'], ['ns-one']], keys: [] },
    ],
    [
      'a lower permission: one of them',
      one,
      hosting([host('one', 'observation')]),
      { clauses: [['party', 'ns-one']], keys: [] },
    ],
    [
      'a removed host: one of them',
      hosting([host('one'), host('two')]),
      one,
      { clauses: [['party', 'ns-two']], keys: [] },
    ],
    [
      'another key: the party and the key',
      hosting([host('one')], { signing: keysOf(key('a')) }),
      hosting([host('one')], { signing: keysOf(key('a'), key('b')) }),
      { clauses: [['party']], keys: ['b'] },
    ],
    [
      'a removed key: the party',
      hosting([host('one')], { signing: keysOf(key('a'), key('b')) }),
      hosting([host('one')], { signing: keysOf(key('a')) }),
      { clauses: [['party']], keys: [] },
    ],
    [
      'other usages of a key: the party only',
      hosting([host('one'), host('two')], { signing: keysOf(key('a', [4])) }),
      hosting([host('one')], { signing: keysOf(key('a', [5, 4])) }),
      { clauses: [['party'], ['party', 'ns-two']], keys: [] },
    ],
    [
      'another threshold of keys: the party',
      hosting([host('one'), host('two')], { signing: { keys: [key('a')], threshold: 1 } }),
      hosting([host('one')], { signing: { keys: [key('a')], threshold: 2 } }),
      { clauses: [['party'], ['party', 'ns-two']], keys: [] },
    ],
    [
      'the same keys in another order: the changing party',
      hosting([host('one'), host('two')], { signing: keysOf(key('a', [4, 5]), key('b')) }),
      hosting([host('one')], { signing: keysOf(key('b'), key('a', [5, 4])) }),
      { clauses: [['party', 'ns-two']], keys: [] },
    ],
  ])('requires signatures for %s', (_, last, next, required) => {
    expect(requiredSigners(next, before(last))).toEqual(required);
  });

  it('requires all signers again after a removal, or after another kind of mapping', () => {
    const keyed = hosting([host('one')], { signing: keysOf(key('a')) });
    const all = { clauses: [['party'], ['party'], ['ns-one']], keys: ['a'] };
    expect(requiredSigners(keyed, before(keyed, false))).toEqual(all);
    expect(requiredSigners(keyed, undefined)).toEqual(all);
    const other: TopologyMapping = {
      kind: 'PartyToKeyMapping',
      party: 'alice::party',
      signing: keysOf(key('a')),
    };
    expect(requiredSigners(keyed, before(other))).toEqual({ ...all, keys: [] });
  });

  it('may contain the key of its namespace', () => {
    const signing = keysOf(key('other'), key('party'));
    expect(selfAuthorizingKey(hosting([], { signing }))?.fingerprint).toBe('party');
    expect(selfAuthorizingKey(hosting([], { signing: keysOf(key('other')) }))).toBeUndefined();
    expect(
      selfAuthorizingKey({ kind: 'PartyToKeyMapping', party: 'alice::party', signing }),
    ).toBeUndefined();
  });
});

describe('keys of members', () => {
  const encryption = { ...key('e'), encrypts: true } as const;
  const owned = (...keys: readonly (PartyKey | typeof encryption)[]): TopologyMapping => ({
    kind: 'OwnerToKeyMapping',
    member: 'PAR::one::ns-one',
    keys,
  });
  const mapped = (...keys: readonly PartyKey[]): TopologyMapping => ({
    kind: 'PartyToKeyMapping',
    party: 'alice::party',
    signing: keysOf(...keys),
  });

  it('require the namespace, and each new signing key', () => {
    expect(requiredSigners(owned(key('a'), encryption), undefined)).toEqual({
      clauses: [['ns-one']],
      keys: ['a'],
    });
    expect(requiredSigners(owned(key('a'), key('b')), before(owned(key('a'))))).toEqual({
      clauses: [['ns-one']],
      keys: ['b'],
    });
    expect(requiredSigners(mapped(key('a'), key('b')), before(mapped(key('b'))))).toEqual({
      clauses: [['party']],
      keys: ['a'],
    });
  });

  it('change with their usages, in any order', () => {
    expect(requiredSigners(mapped(key('a', [1, 4])), before(mapped(key('a', [4]))))).toMatchObject({
      keys: ['a'],
    });
    expect(
      requiredSigners(mapped(key('a', [1, 4])), before(mapped(key('a', [4, 1])))),
    ).toMatchObject({ keys: [] });
  });

  it('are equal in any order for a party, but not for a node', () => {
    expect(shownMapping(mapped(key('a'), key('b')))).toBe(shownMapping(mapped(key('b'), key('a'))));
    expect(shownMapping(mapped(key('a')))).not.toBe(shownMapping(mapped(key('b'))));
    expect(shownMapping(owned(key('a'), key('b')))).not.toBe(
      shownMapping(owned(key('b'), key('a'))),
    );
    const vetted = (validFrom: bigint): TopologyMapping => ({
      kind: 'VettedPackages',
      participantId: 'one::ns-one',
      packages: [{ packageId: 'p' as never, validFrom }],
    });
    expect(shownMapping(vetted(1n))).not.toBe(shownMapping(vetted(2n)));
  });

  it('replace mappings with the same id, for each kind of node', () => {
    const of = (member: string) => uniqueKey({ kind: 'OwnerToKeyMapping', member, keys: [] });
    expect(of('PAR::one::ns-one')).toBe(of('SEQ::one::ns-one'));
    expect(of('PAR::one::ns-one')).not.toBe(of('PAR::two::ns-one'));
    expect(memberUid('PAR::one::ns-one')).toBe('one::ns-one');
  });
});

describe('delegations', () => {
  const delegation = (
    target: string,
    restriction: 'all' | 'all but delegations' | readonly number[] = 'all',
  ): TopologyMapping => ({
    kind: 'NamespaceDelegation',
    namespace: 'ns',
    target: key(target),
    isRoot: true,
    restriction,
  });

  it('allow a key to sign all mappings, all but delegations, or some', () => {
    expect(mayDelegateFor('all', 'NamespaceDelegation')).toBe(true);
    expect(mayDelegateFor('all but delegations', 'NamespaceDelegation')).toBe(false);
    expect(mayDelegateFor('all but delegations', 'OwnerToKeyMapping')).toBe(true);
    const codes = [
      ['NamespaceDelegation', 1],
      ['DecentralizedNamespaceDefinition', 3],
      ['OwnerToKeyMapping', 4],
      ['SynchronizerTrustCertificate', 5],
      ['VettedPackages', 8],
      ['PartyToParticipant', 9],
      ['PartyToKeyMapping', 18],
    ] as const;
    for (const [kind, code] of codes) {
      expect(mayDelegateFor([code], kind)).toBe(true);
      expect(mayDelegateFor([code + 1], kind)).toBe(false);
    }
  });

  it('are root certificates if their key has the fingerprint of the namespace', () => {
    expect(isRootDelegation(delegation('ns'))).toBe(true);
    expect(isRootDelegation(delegation('other'))).toBe(false);
    expect(isRootDelegation(delegation('ns', 'all but delegations'))).toBe(false);
    expect(isRootDelegation(hosting([]))).toBe(false);
  });

  it('require their namespace, and are unique by their keys', () => {
    expect(requiredSigners(delegation('a'), undefined)).toEqual({ clauses: [['ns']], keys: [] });
    expect(uniqueKey(delegation('a'))).not.toBe(uniqueKey(delegation('b')));
    expect(uniqueKey(delegation('a'))).toBe(uniqueKey(delegation('a', [4])));
    expect(mappedKeys(delegation('a'))).toEqual([]);
  });
});

describe('other mappings', () => {
  const shared = (owners: readonly string[], threshold = 1): TopologyMapping => ({
    kind: 'DecentralizedNamespaceDefinition',
    namespace: 'ns',
    threshold,
    owners,
  });

  it('of a decentralized namespace require each owner first, and later the namespace and each new owner', () => {
    expect(requiredSigners(shared(['a', 'b']), undefined)).toEqual({
      clauses: [['a'], ['b']],
      keys: [],
    });
    for (const replaces of [true, false])
      expect(requiredSigners(shared(['b', 'c']), before(shared(['a', 'b']), replaces))).toEqual({
        clauses: [['ns'], ['c']],
        keys: [],
      });
    expect(requiredSigners(shared(['a']), before(hosting([])))).toEqual({
      clauses: [['a']],
      keys: [],
    });
    expect(uniqueKey(shared(['a']))).toBe(uniqueKey(shared(['b'], 2)));
  });

  it('of a participant require its namespace', () => {
    const participantId = 'one::ns-one';
    const vetted: TopologyMapping = { kind: 'VettedPackages', participantId, packages: [] };
    const trust = (synchronizerId: string): TopologyMapping => ({
      kind: 'SynchronizerTrustCertificate',
      participantId,
      synchronizerId,
      featureFlags: [],
    });
    for (const each of [vetted, trust('s')])
      expect(requiredSigners(each, undefined)).toEqual({ clauses: [['ns-one']], keys: [] });
    const all = [vetted, trust('s'), trust('t'), hosting([]), shared([])];
    expect(new Set(all.map(uniqueKey)).size).toBe(all.length);
    const other = { ...vetted, participantId: 'two::ns-two' };
    expect(uniqueKey(other)).not.toBe(uniqueKey(vetted));
    expect(uniqueKey(hosting([], { party: 'bob::party' }))).not.toBe(uniqueKey(hosting([])));
  });
});
