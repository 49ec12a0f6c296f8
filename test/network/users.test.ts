/** The users of a participant, as the rules B-USR-001 to B-USR-033 have them. */
import * as fc from 'fast-check';
import type { LedgerError } from '../../src/daml/index.js';
import type { Network } from '../../src/network/network.js';
import { openNetwork } from '../../src/network/open.js';
import type { RequestedRight } from '../../src/network/administration/user-rights.js';
import type { RequestedUser, UserStore } from '../../src/network/administration/users.js';
import { check } from '../support/property.js';

const ADMIN: RequestedRight = { kind: 'ParticipantAdmin' };
const PARTY_ID = `alice::1220${'ab'.repeat(32)}`;
const ACT: RequestedRight = { kind: 'CanActAs', party: PARTY_ID };
const READ: RequestedRight = { kind: 'CanReadAs', party: PARTY_ID };

let network: Network;
let users: UserStore;

beforeEach(() => {
  network = openNetwork({ seed: 1 });
  users = network.participant('sandbox').users;
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

/** Annotations whose keys and values together have this many bytes. */
const annotationsOf = (bytes: number): Record<string, string> => ({ k: 'v'.repeat(bytes - 1) });

describe('a new participant', () => {
  it('has one user, participant_admin, with exactly that right (B-USR-001)', () => {
    expect(users.list()).toEqual({
      items: [
        {
          id: 'participant_admin',
          primaryParty: '',
          isDeactivated: false,
          metadata: { resourceVersion: '0', annotations: {} },
          identityProviderId: '',
          primaryPartyAuthentication: false,
        },
      ],
      nextPageToken: '',
    });
    expect(users.rights('participant_admin')).toEqual([ADMIN]);
  });

  it('separates its users from those of other participants', () => {
    const two = openNetwork({ participants: [{ name: 'one' }, { name: 'two' }] });
    two.participant('one').users.create({ id: 'alice' });
    expect(code(() => two.participant('two').users.get('alice'))).toBe('USER_NOT_FOUND');
  });
});

describe('creating', () => {
  it('returns the user and its resource version (B-USR-002, B-USR-003)', () => {
    const created = users.create(
      {
        id: 'alice',
        primaryParty: PARTY_ID,
        metadata: { annotations: { 'wallet.example.com/colour': 'red' } },
      },
      [ACT, READ, ACT],
    );
    expect(created).toEqual({
      id: 'alice',
      primaryParty: PARTY_ID,
      isDeactivated: false,
      metadata: { resourceVersion: '0', annotations: { 'wallet.example.com/colour': 'red' } },
      identityProviderId: '',
      primaryPartyAuthentication: false,
    });
    expect(users.get('alice')).toEqual(created);
    expect(users.rights('alice')).toEqual([ACT, READ]);
  });

  it.each<[fact: string, what: string, user: RequestedUser, code: string, text: string]>([
    ['B-USR-004', 'no id', { id: '' }, 'MISSING_FIELD', 'missing a mandatory field: id'],
    [
      'B-USR-004',
      'a space in the id',
      { id: 'a b' },
      'INVALID_FIELD',
      'Invalid field id: User ID "a b" does not match regex',
    ],
    [
      'B-USR-004',
      'an id of 129 characters',
      { id: 'a'.repeat(129) },
      'INVALID_FIELD',
      'Invalid field id',
    ],
    [
      'B-USR-004',
      'an invalid primary party',
      { id: 'a', primaryParty: 'no/party' },
      'INVALID_ARGUMENT',
      'non expected character 0x2f in Daml-LF Party',
    ],
    [
      'B-USR-005',
      'an id that exists',
      { id: 'participant_admin' },
      'USER_ALREADY_EXISTS',
      'user "participant_admin" already exists',
    ],
    [
      'B-USR-006',
      'a resource version',
      { id: 'a', metadata: { resourceVersion: '0' } },
      'INVALID_ARGUMENT',
      'field user.metadata.resource_version must be not set',
    ],
    [
      'B-USR-032',
      'an unknown identity provider',
      { id: 'a', identityProviderId: 'acme' },
      'INVALID_ARGUMENT',
      'Provided identity_provider_id Id(acme) has not been found.',
    ],
    [
      'B-USR-032',
      'an invalid identity provider id',
      { id: 'a', identityProviderId: 'ä' },
      'INVALID_FIELD',
      'Invalid field identity_provider_id',
    ],
    [
      'B-PTY-027',
      'an empty annotation',
      { id: 'a', metadata: { annotations: { k: '' } } },
      'INVALID_ARGUMENT',
      "empty for key: 'k'",
    ],
    [
      'B-PTY-028',
      'an annotation key with three parts',
      { id: 'a', metadata: { annotations: { 'a/b/c': '1' } } },
      'INVALID_ARGUMENT',
      'more than one forward slash',
    ],
    [
      'B-PTY-028',
      'an annotation prefix that is not a domain',
      { id: 'a', metadata: { annotations: { '.a/b': '1' } } },
      'INVALID_ARGUMENT',
      "Key prefix segment '.a' has invalid syntax",
    ],
    [
      'B-PTY-028',
      'an annotation name that begins with a dash',
      { id: 'a', metadata: { annotations: { '-b': '1' } } },
      'INVALID_ARGUMENT',
      "Key name segment '-b' has invalid syntax",
    ],
    [
      'B-PTY-028',
      'an annotation name of 64 characters',
      { id: 'a', metadata: { annotations: { ['b'.repeat(64)]: '1' } } },
      'INVALID_ARGUMENT',
      'exceeds maximum length of 63',
    ],
    [
      'B-PTY-028',
      'an annotation prefix of 254 characters',
      { id: 'a', metadata: { annotations: { [`${'b'.repeat(254)}/c`]: '1' } } },
      'INVALID_ARGUMENT',
      'exceeds maximum length of 253',
    ],
    [
      'B-PTY-029',
      'one byte more than 256 KiB of annotations',
      { id: 'a', metadata: { annotations: annotationsOf(256 * 1024 + 1) } },
      'INVALID_ARGUMENT',
      'larger than the limit of 256kb',
    ],
  ])('%s rejects %s', (_fact, _what, user, expected, text) => {
    const before = users.list();
    const error = refusal(() => users.create(user));
    expect(error.code).toBe(expected);
    expect(error.details.cause).toContain(text);
    expect(users.list()).toEqual(before);
  });

  it('accepts annotations of exactly 256 KiB, and keys with one slash at the end (B-PTY-028, B-PTY-029)', () => {
    users.create({ id: 'a', metadata: { annotations: annotationsOf(256 * 1024) } });
    users.create({ id: 'b', metadata: { annotations: { 'k/': 'v' } } });
    expect(users.list().items).toHaveLength(3);
  });

  it('accepts each character that a user id may have', () => {
    for (const id of ["Az09@^$.!`-#+'~_|:()", '!', 'a'.repeat(128)])
      expect(users.create({ id }).id).toBe(id);
  });

  it('the error has the user as a resource', () => {
    expect(refusal(() => users.get('ghost')).details).toEqual({
      cause: 'getting user failed for unknown user "ghost"',
      resources: [['USER', 'ghost']],
    });
  });
});

describe('updating', () => {
  const alice = {
    id: 'alice',
    primaryParty: PARTY_ID,
    metadata: { annotations: { a: '1', b: '2' } },
  };
  beforeEach(() => users.create(alice));

  it('changes only the fields in the mask (B-USR-016)', () => {
    const next = {
      id: 'alice',
      primaryParty: '',
      isDeactivated: true,
      metadata: { annotations: { a: '9' } },
    };
    expect(users.update(next, ['is_deactivated'])).toMatchObject({
      primaryParty: PARTY_ID,
      isDeactivated: true,
      metadata: { annotations: { a: '1', b: '2' } },
    });
    expect(users.update(next, ['primary_party'])).toMatchObject({ primaryParty: '' });
  });

  it('adds, replaces and deletes annotations, and keeps absent ones (B-PTY-026)', () => {
    const merged = users.update(
      { id: 'alice', metadata: { annotations: { b: '3', a: '', c: '4' } } },
      ['metadata.annotations'],
    );
    expect(merged.metadata.annotations).toEqual({ b: '3', c: '4' });
    expect(users.update({ id: 'alice' }, ['metadata']).metadata.annotations).toEqual({
      b: '3',
      c: '4',
    });
  });

  it('returns a new resource version with each update, and accepts the current one (B-USR-018)', () => {
    const versions = [1, 2, 3].map(
      () => users.update({ id: 'alice' }, ['metadata']).metadata.resourceVersion,
    );
    expect(new Set(['0', ...versions]).size).toBe(4);
    users.update({ id: 'alice', metadata: { resourceVersion: versions[2] } }, ['metadata']);
    const stale = { id: 'alice', metadata: { resourceVersion: versions[2] } };
    expect(code(() => users.update(stale, ['metadata']))).toBe('CONCURRENT_USER_UPDATE_DETECTED');
  });

  it('accepts paths that only identify the user (B-USR-014)', () => {
    const updated = users.update({ id: 'alice', isDeactivated: true }, [
      'id',
      'metadata.resource_version',
      'is_deactivated',
    ]);
    expect(updated.isDeactivated).toBe(true);
  });

  it.each<[fact: string, paths: string[] | undefined, code: string, reason: string]>([
    ['B-USR-015', [], 'INVALID_USER_UPDATE_REQUEST', 'The update mask contains no entries'],
    [
      'B-USR-015',
      ['unknown'],
      'INVALID_USER_UPDATE_REQUEST',
      "The update path: 'unknown' points to an unknown field.",
    ],
    ['B-USR-015', [''], 'INVALID_USER_UPDATE_REQUEST', "'' points to an unknown field"],
    [
      'B-USR-015',
      ['.metadata'],
      'INVALID_USER_UPDATE_REQUEST',
      "'.metadata' points to an unknown field",
    ],
    ['B-USR-015', ['metadata.annotations.a'], 'INVALID_USER_UPDATE_REQUEST', 'unknown field'],
    [
      'B-USR-015',
      ['metadata', 'metadata.'],
      'INVALID_USER_UPDATE_REQUEST',
      "'metadata' is duplicated.",
    ],
    ['B-USR-015', ['x'.repeat(60)], 'INVALID_USER_UPDATE_REQUEST', `'${'x'.repeat(50)}...' points`],
    ['B-USR-015', undefined, 'MISSING_FIELD', 'update_mask'],
  ])('%s rejects the mask %j with %s', (_fact, paths, expected, reason) => {
    const error = refusal(() => users.update({ id: 'alice' }, paths));
    expect(error.code).toBe(expected);
    expect(error.details.cause).toContain(reason);
  });

  it.each<[fact: string, what: string, user: RequestedUser, code: string]>([
    ['B-USR-017', 'an unknown user', { id: 'ghost' }, 'USER_NOT_FOUND'],
    [
      'B-USR-032',
      'an unknown identity provider',
      { id: 'alice', identityProviderId: 'acme' },
      'INVALID_ARGUMENT',
    ],
    [
      'B-USR-018',
      'a version that is not a number',
      { id: 'alice', metadata: { resourceVersion: 'one' } },
      'INVALID_FIELD',
    ],
    [
      'B-USR-018',
      'a version above 64 bits',
      { id: 'alice', metadata: { resourceVersion: '9223372036854775808' } },
      'INVALID_FIELD',
    ],
    [
      'B-USR-018',
      'another version',
      { id: 'alice', metadata: { resourceVersion: '7' } },
      'CONCURRENT_USER_UPDATE_DETECTED',
    ],
    [
      'B-PTY-029',
      'annotations that exceed the limit',
      { id: 'alice', metadata: { annotations: annotationsOf(256 * 1024) } },
      'MAX_USER_ANNOTATIONS_SIZE_EXCEEDED',
    ],
  ])('%s rejects %s', (_fact, _what, user, expected) => {
    const before = users.get('alice');
    expect(code(() => users.update(user, ['metadata']))).toBe(expected);
    expect(users.get('alice')).toEqual(before);
  });

  it('does not allow a user to deactivate or delete itself, or to revoke its admin right (B-USR-021)', () => {
    const itself = { userId: 'alice', isParticipantAdmin: true };
    expect(
      code(() => users.update({ id: 'alice', isDeactivated: true }, ['is_deactivated'], itself)),
    ).toBe('INVALID_ARGUMENT');
    expect(code(() => users.delete('alice', '', itself))).toBe('INVALID_ARGUMENT');
    expect(code(() => users.revoke('alice', [ADMIN], '', itself))).toBe('INVALID_ARGUMENT');
    expect(
      users.update({ id: 'alice', isDeactivated: true }, ['is_deactivated']).isDeactivated,
    ).toBe(true);
  });
});

describe('deleting', () => {
  it('deletes a user once (B-USR-019, B-USR-033)', () => {
    users.create({ id: 'alice' }, [ACT]);
    users.delete('alice');
    expect(code(() => users.delete('alice'))).toBe('USER_NOT_FOUND');
    expect(users.create({ id: 'alice' })).toMatchObject({ metadata: { resourceVersion: '0' } });
    expect(users.rights('alice')).toEqual([]);
  });
});

describe('another identity provider', () => {
  it('cannot read the user (B-USR-009)', () => {
    expect(code(() => users.get('participant_admin', 'acme'))).toBe('PERMISSION_DENIED');
    expect(code(() => users.delete('participant_admin', 'acme'))).toBe('PERMISSION_DENIED');
    expect(code(() => users.rights('participant_admin', 'acme'))).toBe('PERMISSION_DENIED');
    expect(code(() => users.grant('participant_admin', [], 'acme'))).toBe('PERMISSION_DENIED');
    expect(code(() => users.get('ghost', 'acme'))).toBe('USER_NOT_FOUND');
  });

  it('must exist to move a user, and a move from the default to the default is allowed (B-USR-031, B-USR-032)', () => {
    users.create({ id: 'alice' });
    expect(users.moveToIdentityProvider('alice', '', undefined)).toEqual(users.get('alice'));
    expect(code(() => users.moveToIdentityProvider('alice', 'acme', ''))).toBe('INVALID_ARGUMENT');
    expect(code(() => users.moveToIdentityProvider('alice', '', 'acme'))).toBe('INVALID_ARGUMENT');
    expect(code(() => users.moveToIdentityProvider('ghost', '', ''))).toBe('USER_NOT_FOUND');
  });
});

describe('rights', () => {
  beforeEach(() => users.create({ id: 'alice' }, [ACT]));

  it('are granted and revoked once, and do not change the resource version (B-USR-023, B-USR-024, B-USR-027)', () => {
    expect(users.grant('alice', [ACT, READ, READ])).toEqual([READ]);
    expect(users.grant('alice', [])).toEqual([]);
    expect(users.revoke('alice', [READ, ADMIN])).toEqual([READ]);
    expect(users.rights('alice')).toEqual([ACT]);
    expect(users.get('alice').metadata.resourceVersion).toBe('0');
  });

  it('have seven kinds (B-USR-028)', () => {
    const kinds: RequestedRight[] = [
      ADMIN,
      { kind: 'IdentityProviderAdmin' },
      ACT,
      READ,
      { kind: 'CanReadAsAnyParty' },
      { kind: 'CanExecuteAs', party: PARTY_ID },
      { kind: 'CanExecuteAsAnyParty' },
    ];
    users.create({ id: 'bob' }, kinds);
    expect(users.rights('bob')).toHaveLength(kinds.length);
    expect(users.rights('bob')).toEqual(expect.arrayContaining(kinds));
  });

  it.each<[fact: string, right: RequestedRight, text: string]>([
    ['B-USR-026', { kind: 'Empty' }, 'unknown kind of right'],
    ['B-USR-004', { kind: 'CanActAs', party: '' }, 'Daml-LF Party is empty'],
    ['B-USR-004', { kind: 'CanReadAs', party: 'a b/c' }, 'non expected character 0x2f'],
    ['B-USR-004', { kind: 'CanExecuteAs', party: 'ü' }, 'non expected character 0xfc'],
  ])('%s rejects %j', (_fact, right, text) => {
    const error = refusal(() => users.grant('alice', [right]));
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.details.cause).toContain(text);
    expect(code(() => users.revoke('alice', [right]))).toBe('INVALID_ARGUMENT');
  });

  it('are limited to 1000 per user, and an error keeps the old ones (B-USR-029)', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i): RequestedRight => ({
        kind: 'CanReadAs',
        party: `p${i}`,
      }));
    expect(code(() => users.create({ id: 'bob' }, many(1001)))).toBe('TOO_MANY_USER_RIGHTS');
    expect(code(() => users.get('bob'))).toBe('USER_NOT_FOUND');
    users.grant('alice', many(999));
    expect(code(() => users.grant('alice', [ADMIN]))).toBe('TOO_MANY_USER_RIGHTS');
    expect(users.rights('alice')).toHaveLength(1000);
  });

  it('only participant admins can grant rights for unknown parties (B-USR-007, B-USR-030)', () => {
    const helper = { userId: 'helper', isParticipantAdmin: false };
    const error = refusal(() => users.grant('alice', [READ], '', helper));
    expect(error.code).toBe('UNKNOWN_RESOURCE');
    expect(error.details.resources).toEqual([['PARTIES', PARTY_ID]]);
    const party = network.participant('sandbox').allocateParty('bob');
    expect(users.grant('alice', [{ kind: 'CanReadAs', party }], '', helper)).toHaveLength(1);
    const toggled = refusal(() => users.grant('alice', [ADMIN], '', helper));
    expect([toggled.code, toggled.details.cause]).toEqual([
      'PERMISSION_DENIED',
      'The provided authorization token is not sufficient to authorize the intended command: Claims do not authorize the use of administrative services.',
    ]);
    expect(code(() => users.revoke('alice', [{ kind: 'CanReadAsAnyParty' }], '', helper))).toBe(
      'PERMISSION_DENIED',
    );
    expect(
      code(() => users.create({ id: 'eve' }, [{ kind: 'CanExecuteAsAnyParty' }], helper)),
    ).toBe('PERMISSION_DENIED');
  });
});

describe('pages', () => {
  it('are sorted by user id in byte order (B-USR-010)', () => {
    for (const id of ['b', 'B', 'a', '!', '~']) users.create({ id });
    expect(users.list().items.map(({ id }) => id)).toEqual([
      '!',
      'B',
      'a',
      'b',
      'participant_admin',
      '~',
    ]);
  });

  it('have at most 1000 users, and a negative size or a bad token is rejected (B-USR-011)', () => {
    for (let i = 0; i < 1000; i++) users.create({ id: `u${i}` });
    expect(users.list({ pageSize: 5000 }).items).toHaveLength(1000);
    expect(users.list({ pageSize: 0 }).items).toHaveLength(1000);
    expect(code(() => users.list({ pageSize: -1 }))).toBe('INVALID_ARGUMENT');
    for (const pageToken of ['not a token', 'AAAA', 'a', 'Cg', 'CgMgIC8='])
      expect(refusal(() => users.list({ pageToken })).details.cause).toContain(
        'Invalid page token',
      );
  });

  it('do not shift if earlier users are added (B-USR-012)', () => {
    for (const id of ['b', 'd', 'f']) users.create({ id });
    const { nextPageToken } = users.list({ pageSize: 2 });
    users.create({ id: 'a' });
    expect(users.list({ pageToken: nextPageToken }).items.map(({ id }) => id)).toEqual([
      'f',
      'participant_admin',
    ]);
  });

  it('together contain the whole list, for any page size', () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9@^$.!`\-#+'~_|:()]{1,12}$/), {
      maxLength: 30,
    });
    check(
      fc.property(ids, fc.integer({ min: 1, max: 12 }), (all, pageSize) => {
        const store = openNetwork().participant('sandbox').users;
        for (const id of all) if (id !== 'participant_admin') store.create({ id });
        const paged: string[] = [];
        let pageToken = '';
        do {
          const page = store.list({ pageSize, pageToken });
          expect(page.items.length).toBeLessThanOrEqual(pageSize);
          paged.push(...page.items.map(({ id }) => id));
          pageToken = page.nextPageToken;
        } while (pageToken !== '');
        expect(paged).toEqual(store.list().items.map(({ id }) => id));
        expect(paged).toEqual([...new Set(paged)].sort());
      }),
      { numRuns: 50 },
    );
  });
});

/** One of the calls that a test may make; refusals count as calls too. */
type Call = (store: UserStore) => void;

const anId = fc.constantFrom('alice', 'bob', 'carol', 'participant_admin', 'no id');
const aRight: fc.Arbitrary<RequestedRight> = fc.oneof(
  fc.constantFrom<RequestedRight>(ADMIN, { kind: 'Empty' }, { kind: 'CanReadAsAnyParty' }),
  fc.record({
    kind: fc.constantFrom('CanActAs' as const, 'CanReadAs' as const),
    party: fc.constantFrom('p', 'q', '/'),
  }),
);
const someAnnotations = fc.dictionary(
  fc.constantFrom('a', 'b/c', '-'),
  fc.constantFrom('', '1', '2'),
);
const aCall: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(anId, fc.array(aRight, { maxLength: 3 })).map(
    ([id, rights]): Call =>
      (store) =>
        store.create({ id }, rights),
  ),
  fc.tuple(anId, someAnnotations, fc.constantFrom([], ['metadata'], ['is_deactivated'], ['x'])).map(
    ([id, given, paths]): Call =>
      (store) =>
        store.update({ id, isDeactivated: true, metadata: { annotations: given } }, paths),
  ),
  anId.map(
    (id): Call =>
      (store) =>
        store.delete(id),
  ),
  fc.tuple(anId, fc.array(aRight, { maxLength: 3 })).map(
    ([id, rights]): Call =>
      (store) =>
        store.grant(id, rights),
  ),
  fc.tuple(anId, fc.array(aRight, { maxLength: 3 })).map(
    ([id, rights]): Call =>
      (store) =>
        store.revoke(id, rights),
  ),
);

describe('a revert', () => {
  it('restores users and rights, and an error changes nothing', () => {
    const state = (store: UserStore) =>
      store.list().items.map((user) => ({ user, rights: store.rights(user.id) }));
    check(
      fc.property(
        fc.array(aCall, { maxLength: 12 }),
        fc.array(aCall, { maxLength: 12 }),
        (first, second) => {
          const world = openNetwork();
          const store = world.participant('sandbox').users;
          const run = (call: Call) => {
            const before = state(store);
            try {
              call(store);
            } catch {
              expect(state(store)).toEqual(before);
            }
          };
          first.forEach(run);
          const before = state(store);
          const snapshot = world.snapshot();
          second.forEach(run);
          const after = state(store);
          world.revert(snapshot);
          expect(state(store)).toEqual(before);
          second.forEach(run);
          expect(state(store)).toEqual(after);
        },
      ),
    );
  });
});
