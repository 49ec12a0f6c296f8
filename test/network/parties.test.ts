/** The parties of a participant, as the rules B-PTY-001 to B-PTY-034 have them. */
import * as fc from 'fast-check';
import type { LedgerError } from '../../src/daml/index.js';
import type { Network } from '../../src/network/network.js';
import { openNetwork } from '../../src/network/open.js';
import type { Participant } from '../../src/network/participant.js';
import type {
  PartyAllocation,
  PartyRecords,
  RequestedPartyDetails,
} from '../../src/network/administration/party-records.js';
import { check } from '../support/property.js';

let network: Network;
let participant: Participant;
let parties: PartyRecords;

beforeEach(() => {
  network = openNetwork({ seed: 1 });
  participant = network.participant('sandbox');
  parties = participant.parties;
});

function refusal(action: () => unknown): LedgerError {
  try {
    action();
  } catch (error) {
    return error as LedgerError;
  }
  throw new Error('It was accepted.');
}

const code = (action: () => unknown): string => refusal(action).code;
const annotationsOf = (bytes: number): Record<string, string> => ({ k: 'v'.repeat(bytes - 1) });
/** By id, without participants: each is a party as well. */
const idsIn = (items: readonly { readonly party: string }[]): string[] =>
  items.map(({ party }) => party).filter((id) => !/^(?:sandbox|one|two|three)::/.test(id));
const FOREIGN = `zoe::1220${'cd'.repeat(32)}`;

/** Two participants on two synchronizers; the third is on the second synchronizer alone. */
function wideNetwork(): Network {
  return openNetwork({
    synchronizers: [{ alias: 'global' }, { alias: 'app' }],
    participants: [
      { name: 'one' },
      { name: 'two' },
      { name: 'three', synchronizers: ['app'] },
      { name: 'lonely', synchronizers: [] },
    ],
  });
}

describe('allocation', () => {
  it("returns a party in the participant's namespace, with its metadata (B-PTY-001, B-PTY-002)", () => {
    const details = parties.allocate({
      partyIdHint: 'alice',
      localMetadata: { annotations: { team: 'blue' } },
    });
    expect(details).toEqual({
      party: `alice::${participant.namespace}`,
      isLocal: true,
      localMetadata: { resourceVersion: '0', annotations: { team: 'blue' } },
      identityProviderId: '',
    });
    expect(parties.get([details.party])).toEqual([details]);
  });

  it('chooses a unique hint if the request has none (B-PTY-002, B-PTY-005)', () => {
    const made = Array.from({ length: 50 }, () => parties.allocate({}).party);
    expect(new Set(made).size).toBe(50);
    expect(made[0]).toMatch(/^party-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}::1220[0-9a-f]{64}$/);
  });

  it('writes a separate update, and the party is usable at once (B-PTY-010)', () => {
    const before = participant.log.end;
    const { party } = parties.allocate({ partyIdHint: 'alice' });
    expect(participant.log.end).toBe(before + 1);
    expect(participant.hosts(party)).toBe(true);
  });

  it('grants the named user the right to act as the party (B-PTY-007)', () => {
    participant.users.create({ id: 'ann' });
    const { party } = parties.allocate({ partyIdHint: 'alice', userId: 'ann' });
    expect(participant.users.rights('ann')).toEqual([{ kind: 'CanActAs', party }]);
  });

  it.each<[fact: string, what: string, allocation: PartyAllocation, code: string, text: string]>([
    [
      'B-PTY-003',
      'a hint that exists',
      { partyIdHint: 'taken' },
      'INVALID_ARGUMENT',
      'Party already exists: party taken::1220',
    ],
    [
      'B-PTY-004',
      'a character that parties do not have',
      { partyIdHint: 'a/b' },
      'INVALID_ARGUMENT',
      'non expected character 0x2f in Daml-LF Party',
    ],
    [
      'B-PTY-004',
      'a hint of 186 characters',
      { partyIdHint: 'a'.repeat(186) },
      'INVALID_ARGUMENT',
      'maximum length of 185',
    ],
    [
      'B-PTY-004',
      'a hint with the delimiter',
      { partyIdHint: 'a::b' },
      'INVALID_ARGUMENT',
      'reserved delimiter',
    ],
    [
      'B-PTY-006',
      'a resource version',
      { localMetadata: { resourceVersion: '1' } },
      'INVALID_ARGUMENT',
      'local_metadata.resource_version must be not set',
    ],
    [
      'B-PTY-007',
      'an unknown user',
      { userId: 'ghost' },
      'USER_NOT_FOUND',
      `checking user's existence failed for unknown user "ghost"`,
    ],
    ['B-PTY-007', 'an invalid user id', { userId: 'no id' }, 'INVALID_FIELD', 'user_id'],
    [
      'B-PTY-008',
      'an unknown identity provider',
      { identityProviderId: 'acme' },
      'INVALID_ARGUMENT',
      'Provided identity_provider_id Id(acme) has not been found.',
    ],
    [
      'B-PTY-009',
      'an invalid synchronizer id',
      { synchronizerId: 'global' },
      'INVALID_FIELD',
      'synchronizer_id',
    ],
    [
      'B-PTY-009',
      'a synchronizer that is not connected',
      { synchronizerId: FOREIGN },
      'NOT_CONNECTED_TO_SYNCHRONIZER',
      FOREIGN,
    ],
    [
      'B-PTY-027',
      'an empty annotation',
      { localMetadata: { annotations: { k: '' } } },
      'INVALID_ARGUMENT',
      "empty for key: 'k'",
    ],
    [
      'B-PTY-028',
      'a bad annotation key',
      { localMetadata: { annotations: { 'a b': '1' } } },
      'INVALID_ARGUMENT',
      'has invalid syntax',
    ],
    [
      'B-PTY-029',
      'too many annotations',
      { localMetadata: { annotations: annotationsOf(256 * 1024 + 1) } },
      'INVALID_ARGUMENT',
      '256kb',
    ],
  ])('%s rejects %s, and allocates no party', (_fact, _what, allocation, expected, text) => {
    parties.allocate({ partyIdHint: 'taken' });
    const before = [parties.list(), participant.log.end, network.journal.position];
    const error = refusal(() => parties.allocate(allocation));
    expect(error.code).toBe(expected);
    expect(error.details.cause).toContain(text);
    expect([parties.list(), participant.log.end, network.journal.position]).toEqual(before);
  });

  it('accepts a hint of 185 characters', () => {
    expect(parties.allocate({ partyIdHint: 'a'.repeat(185) }).isLocal).toBe(true);
  });

  it('allocates no party if its user cannot have more rights (B-PTY-007)', () => {
    participant.users.create(
      { id: 'ann' },
      Array.from({ length: 1000 }, (_, i) => ({ kind: 'CanReadAs' as const, party: `p${i}` })),
    );
    expect(code(() => parties.allocate({ partyIdHint: 'alice', userId: 'ann' }))).toBe(
      'TOO_MANY_USER_RIGHTS',
    );
    expect(idsIn(parties.list().items)).toEqual([]);
  });
});

describe('with several synchronizers', () => {
  it('allocation requires a synchronizer (B-PTY-009)', () => {
    const wide = wideNetwork();
    const one = wide.participant('one');
    const app = wide.synchronizer('app')!.id;
    expect(code(() => one.parties.allocate({ partyIdHint: 'alice' }))).toBe(
      'PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER',
    );
    const { party } = one.parties.allocate({ partyIdHint: 'alice', synchronizerId: app });
    expect(wide.topology.synchronizersOf(party)).toEqual([app]);
    expect(wide.participant('three').parties.allocate({ partyIdHint: 'bob' }).isLocal).toBe(true);
    expect(code(() => wide.participant('lonely').parties.allocate({}))).toBe(
      'PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER',
    );
  });

  it('a second allocation adds the party to another synchronizer, only once', () => {
    const wide = wideNetwork();
    const one = wide.participant('one');
    const [app, global] = [wide.synchronizer('app')!.id, wide.synchronizer('global')!.id];
    one.parties.allocate({
      partyIdHint: 'alice',
      synchronizerId: app,
      localMetadata: { annotations: { a: '1' } },
    });
    const again = {
      partyIdHint: 'alice',
      synchronizerId: global,
      localMetadata: { annotations: { b: '2' } },
    };
    const { party, localMetadata } = one.parties.allocate(again);
    expect(localMetadata).toEqual({ resourceVersion: '1', annotations: { a: '1', b: '2' } });
    expect(new Set(wide.topology.synchronizersOf(party))).toEqual(new Set([app, global]));
    expect(code(() => one.parties.allocate(again))).toBe('INVALID_ARGUMENT');
  });

  it('an in-process allocation hosts the party on each of them', () => {
    const wide = wideNetwork();
    const party = wide.participant('one').allocateParty('alice');
    expect(wide.topology.synchronizersOf(party)).toHaveLength(2);
    expect(wide.participant('one').parties.get([party])[0]?.localMetadata.resourceVersion).toBe(
      '0',
    );
  });
});

describe('look-ups', () => {
  it('return the parties on its synchronizers, of which only its own are local (B-PTY-012, B-PTY-016)', () => {
    const wide = wideNetwork();
    const [one, two, three] = ['one', 'two', 'three'].map((name) => wide.participant(name)) as [
      Participant,
      Participant,
      Participant,
    ];
    const global = wide.synchronizer('global')!.id;
    const { party } = one.parties.allocate({ partyIdHint: 'alice', synchronizerId: global });
    expect(two.parties.get([party])).toEqual([
      {
        party,
        isLocal: false,
        localMetadata: { resourceVersion: '', annotations: {} },
        identityProviderId: '',
      },
    ]);
    expect(three.parties.get([party])).toEqual([]);
    expect(idsIn(three.parties.list().items)).toEqual([]);
    expect(idsIn(two.parties.list().items)).toEqual([party]);
  });

  it('list each participant as a party that it hosts on its synchronizers (B-ID-012)', () => {
    const wide = wideNetwork();
    const known = (name: string) =>
      wide
        .participant(name)
        .parties.list()
        .items.map(({ party, isLocal }) => [party.split('::')[0], isLocal]);
    expect(known('one')).toEqual([
      ['one', true],
      ['three', false],
      ['two', false],
    ]);
    expect(known('lonely')).toEqual([]);
    const { id } = wide.participant('one');
    expect(wide.topology.permission(id, id, wide.synchronizer('app')!.id)).toBe('submission');
    expect(code(() => parties.allocate({ partyIdHint: 'sandbox' }))).toBe('INVALID_ARGUMENT');
  });

  it('return several parties by id, and omit unknown ones (B-PTY-011, B-PTY-012)', () => {
    const [bob, alice] = ['bob', 'alice'].map((hint) => participant.allocateParty(hint)) as [
      string,
      string,
    ];
    expect(parties.get([bob, 'ghost', alice, bob]).map(({ party }) => party)).toEqual([alice, bob]);
    expect(parties.get(['party', alice])).toHaveLength(1);
    expect(code(() => parties.get(['a/b']))).toBe('INVALID_ARGUMENT');
  });

  it('return parties to other identity providers as remote, without stored details (B-PTY-014, B-PTY-015)', () => {
    const { party } = parties.allocate({
      partyIdHint: 'alice',
      localMetadata: { annotations: { a: '1' } },
    });
    const blinded = {
      party,
      isLocal: false,
      localMetadata: { resourceVersion: '', annotations: {} },
      identityProviderId: '',
    };
    expect(parties.get([party], 'acme')).toEqual([blinded]);
    expect(parties.list({ identityProviderId: 'acme' }).items[0]).toEqual(blinded);
  });

  it("allow updates by the party's identity provider only (B-PTY-034)", () => {
    const { party } = parties.allocate({ partyIdHint: 'alice' });
    const identityProviderId = 'acme';
    const jwksUrl = 'https://acme.test/jwks';
    participant.identityProviders.create({ identityProviderId, issuer: 'acme', jwksUrl });
    const update = (id: string) =>
      parties.update({ party: id, identityProviderId }, ['local_metadata']);
    expect(code(() => update(party))).toBe('PERMISSION_DENIED');
    // A party without a record has no identity provider yet.
    expect(update(participant.id)).toMatchObject({ isLocal: true, identityProviderId });
  });

  it('move between identity providers, with or without a record, and keep their metadata', () => {
    const localMetadata = { annotations: { a: '1' } };
    const { party } = parties.allocate({ partyIdHint: 'alice', localMetadata });
    const identityProviderId = 'acme';
    const jwksUrl = 'https://acme.test/jwks';
    participant.identityProviders.create({ identityProviderId, issuer: 'acme', jwksUrl });
    const annotations = { [party]: localMetadata.annotations, [participant.id]: {} };
    for (const [each, kept] of Object.entries(annotations)) {
      const move = (from: string, to: string) => parties.moveToIdentityProvider(each, from, to);
      expect(code(() => move('acme', ''))).toBe('PARTY_NOT_FOUND');
      move('', 'acme');
      expect(parties.get([each], 'acme')).toEqual([
        {
          party: each,
          isLocal: true,
          localMetadata: { resourceVersion: '0', annotations: kept },
          identityProviderId,
        },
      ]);
      expect(code(() => move('', 'acme'))).toBe('PARTY_NOT_FOUND');
      move('acme', '');
      expect(parties.identityProviderOf(each)).toBe('');
    }
    expect(code(() => parties.moveToIdentityProvider(FOREIGN, '', 'acme'))).toBe('PARTY_NOT_FOUND');
  });
});

describe('pages', () => {
  it('filter by prefix, up to the whole id (B-PTY-018)', () => {
    const [al, alice, bob] = ['al', 'alice', 'bob'].map((hint) =>
      participant.allocateParty(hint),
    ) as [string, string, string];
    const filtered = (filterParty: string) => idsIn(parties.list({ filterParty }).items);
    expect(filtered('al')).toEqual([alice, al].sort());
    expect(filtered(bob)).toEqual([bob]);
    expect(filtered('lice')).toEqual([]);
    expect(filtered('')).toHaveLength(3);
    expect(code(() => filtered('a/b'))).toBe('INVALID_FIELD');
  });

  it.each([
    ['B-PTY-019', 'a negative size', { pageSize: -1 }],
    ['B-PTY-019', 'more than 10000', { pageSize: 10_001 }],
    ['B-PTY-020', 'a token that is not base64', { pageToken: 'not a token' }],
    ['B-PTY-020', 'a token that is not a message', { pageToken: 'AAAA' }],
    ['B-PTY-020', 'a token of another list', { pageToken: 'CgMgIC8=' }],
  ])('%s rejects %s', (_fact, _what, options) => {
    expect(code(() => parties.list(options))).toBe('INVALID_ARGUMENT');
  });

  it('do not shift if earlier parties are added (B-PTY-021)', () => {
    for (const hint of ['b', 'd', 'f']) participant.allocateParty(hint);
    const { nextPageToken } = parties.list({ pageSize: 2 });
    participant.allocateParty('a');
    const rest = idsIn(parties.list({ pageToken: nextPageToken }).items);
    expect(rest.map((party) => party[0])).toEqual(['f']);
  });

  it('together contain the whole list, for any page size (B-PTY-017)', () => {
    const hints = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/), { maxLength: 20 });
    check(
      fc.property(hints, fc.integer({ min: 1, max: 8 }), (all, pageSize) => {
        const one = openNetwork().participant('sandbox');
        const hosted = all.map((hint) => one.allocateParty(hint));
        const paged: string[] = [];
        let pageToken = '';
        do {
          const page = one.parties.list({ pageSize, pageToken });
          expect(page.items.length).toBeLessThanOrEqual(pageSize);
          paged.push(...page.items.map(({ party }) => party));
          pageToken = page.nextPageToken;
        } while (pageToken !== '');
        expect(paged).toEqual([...hosted, one.id].sort());
      }),
      { numRuns: 50 },
    );
  });
});

describe('updating', () => {
  let party: string;
  beforeEach(() => {
    party = parties.allocate({
      partyIdHint: 'alice',
      localMetadata: { annotations: { a: '1', b: '2' } },
    }).party;
  });

  it('adds, replaces and deletes annotations, and an empty map changes nothing (B-PTY-026)', () => {
    const merged = parties.update(
      { party, localMetadata: { annotations: { b: '3', a: '', c: '4' } } },
      ['local_metadata.annotations'],
    );
    expect(merged.localMetadata.annotations).toEqual({ b: '3', c: '4' });
    expect(parties.update({ party }, ['local_metadata']).localMetadata.annotations).toEqual({
      b: '3',
      c: '4',
    });
  });

  it('keeps the annotations of consecutive updates (B-PTY-031)', () => {
    for (let i = 0; i < 20; i++)
      parties.update({ party, localMetadata: { annotations: { [`k${i}`]: 'v' } } }, [
        'local_metadata',
      ]);
    expect(Object.keys(parties.get([party])[0]!.localMetadata.annotations)).toHaveLength(22);
  });

  it('returns a new resource version each time, and accepts the current one or none (B-PTY-030)', () => {
    const version = parties.update({ party }, ['party']).localMetadata.resourceVersion;
    expect(version).not.toBe('0');
    const current = { party, localMetadata: { resourceVersion: version } };
    parties.update(current, ['local_metadata']);
    expect(code(() => parties.update(current, ['local_metadata']))).toBe(
      'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED',
    );
  });

  it.each([
    ['party'],
    ['is_local'],
    ['local_metadata'],
    ['local_metadata.annotations'],
    ['local_metadata.resource_version'],
  ])('accepts the path %s (B-PTY-023, B-PTY-024)', (path) => {
    expect(parties.update({ party, isLocal: true }, [path]).isLocal).toBe(true);
  });

  it.each<
    [
      fact: string,
      what: string,
      change: Partial<RequestedPartyDetails>,
      paths: string[] | undefined,
      code: string,
    ]
  >([
    [
      'B-PTY-024',
      'a change of is_local',
      { isLocal: false },
      ['is_local'],
      'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
    ],
    ['B-PTY-025', 'no path', {}, [], 'INVALID_PARTY_DETAILS_UPDATE_REQUEST'],
    [
      'B-PTY-025',
      'a repeated path',
      {},
      ['party', 'party'],
      'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
    ],
    ['B-PTY-025', 'an unknown path', {}, ['display_name'], 'INVALID_PARTY_DETAILS_UPDATE_REQUEST'],
    [
      'B-PTY-025',
      'a malformed path',
      {},
      ['..local_metadata'],
      'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
    ],
    ['B-PTY-025', 'an empty path', {}, [''], 'INVALID_PARTY_DETAILS_UPDATE_REQUEST'],
    ['B-PTY-025', 'no mask', {}, undefined, 'MISSING_FIELD'],
    [
      'B-PTY-028',
      'a bad key, also to delete it',
      { localMetadata: { annotations: { '-': '' } } },
      ['local_metadata'],
      'INVALID_ARGUMENT',
    ],
    [
      'B-PTY-029',
      'annotations that exceed the limit',
      { localMetadata: { annotations: annotationsOf(256 * 1024) } },
      ['local_metadata'],
      'MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED',
    ],
    [
      'B-PTY-030',
      'another version',
      { localMetadata: { resourceVersion: '7' } },
      ['local_metadata'],
      'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED',
    ],
    [
      'B-PTY-030',
      'a version that is not a number',
      { localMetadata: { resourceVersion: 'x' } },
      ['local_metadata'],
      'INVALID_FIELD',
    ],
    ['B-PTY-032', 'an unknown party', { party: FOREIGN }, ['party'], 'PARTY_NOT_FOUND'],
    [
      'B-PTY-008',
      'an unknown identity provider',
      { identityProviderId: 'acme' },
      ['party'],
      'INVALID_ARGUMENT',
    ],
  ])('%s rejects %s', (_fact, _what, change, paths, expected) => {
    const before = parties.get([party]);
    const error = refusal(() => parties.update({ party, ...change }, paths));
    expect(error.code).toBe(expected);
    expect(parties.get([party])).toEqual(before);
  });

  it('does not count deletions against the limit (B-PTY-029)', () => {
    parties.update(
      { party, localMetadata: { annotations: { ...annotationsOf(256 * 1024), a: '', b: '' } } },
      ['local_metadata'],
    );
    expect(Object.keys(parties.get([party])[0]!.localMetadata.annotations)).toEqual(['k']);
  });

  it('is possible only on the participant that hosts the party (B-PTY-032)', () => {
    const wide = openNetwork({ participants: [{ name: 'one' }, { name: 'two' }] });
    const foreign = wide.participant('one').allocateParty('alice');
    const error = refusal(() =>
      wide.participant('two').parties.update({ party: foreign }, ['party']),
    );
    expect(error.code).toBe('PARTY_NOT_FOUND');
    expect(error.details.resources).toEqual([['PARTY', foreign]]);
  });
});

describe('a revert', () => {
  type Call = (one: Participant) => void;
  const hint = fc.constantFrom('alice', 'bob', 'carol', 'a/b', '');
  const given = fc.dictionary(fc.constantFrom('a', 'b/c', '-'), fc.constantFrom('', '1'));
  const aCall: fc.Arbitrary<Call> = fc.oneof(
    fc.tuple(hint, given, fc.constantFrom('', 'participant_admin', 'ghost')).map(
      ([partyIdHint, annotations, userId]): Call =>
        (one) =>
          one.parties.allocate({ partyIdHint, localMetadata: { annotations }, userId }),
    ),
    fc.tuple(hint, given, fc.constantFrom(['local_metadata'], ['is_local'], [])).map(
      ([name, annotations, paths]): Call =>
        (one) =>
          one.parties.update(
            { party: `${name}::${one.namespace}`, localMetadata: { annotations } },
            paths,
          ),
    ),
    hint.map(
      (name): Call =>
        (one) =>
          one.allocateParty(name),
    ),
  );

  it('restores parties and their metadata, errors change nothing, and a replay returns the same bytes', () => {
    check(
      fc.property(
        fc.array(aCall, { maxLength: 8 }),
        fc.array(aCall, { maxLength: 8 }),
        (first, second) => {
          const world = openNetwork();
          const one = world.participant('sandbox');
          const state = () => ({
            parties: one.parties.list(),
            rights: one.users.rights('participant_admin'),
            end: one.log.end,
          });
          const run = (call: Call) => {
            const before = state();
            try {
              call(one);
            } catch {
              expect(state()).toEqual(before);
            }
          };
          first.forEach(run);
          const before = state();
          const snapshot = world.snapshot();
          second.forEach(run);
          const after = state();
          world.revert(snapshot);
          expect(state()).toEqual(before);
          second.forEach(run);
          expect(state()).toEqual(after);
        },
      ),
    );
  });
});
