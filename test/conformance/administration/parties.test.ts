/** Conformance: parties, local and external. */
import { newKey, onboard } from '../../network/external/external-party.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';
import { create, type LedgerApi, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParticipant } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';

const alpha = useLedgerApi({
  participants: [{ name: 'alpha' }, { name: 'beta' }],
  grpc: true,
});
const beta = useParticipant(alpha, 'beta');

const get = (path: string, api: LedgerApi = alpha) => api.client.ledger('GET', path);
const allocate = async (partyIdHint: string, more: object = {}, api = alpha): Promise<JsonAnswer> =>
  (await api.ok('/v2/parties', { partyIdHint, ...more })).partyDetails;
const expectInvalid = (request: ReturnType<typeof get>, cause?: string | RegExp) =>
  expectRefused(request, 'INVALID_ARGUMENT', { cause });
const allocating = (partyIdHint: string, more: object = {}) =>
  alpha.post('/v2/parties', { partyIdHint, ...more });

/** Details of parties, asked for by name. */
async function details(
  parties: string[],
  api = alpha,
  identityProvider = '',
): Promise<JsonAnswer[]> {
  const [first, ...others] = parties as [string, ...string[]];
  const query = new URLSearchParams(others.map((party): [string, string] => ['parties', party]));
  query.append('identity-provider-id', identityProvider);
  const path = `/v2/parties/${encodeURIComponent(first)}?${query}`;
  return (await get(path, api)).body.partyDetails;
}
const list = async (query: Record<string, string | number> = {}) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([key, each]): [string, string] => [key, String(each)]),
  );
  return (await get(`/v2/parties?${text}`)).body;
};
const named = (each: JsonAnswer[]): string[] => each.map(({ party }) => party);
const annotations = (...entries: [string, string][]) => ({
  localMetadata: { resourceVersion: '', annotations: Object.fromEntries(entries) },
});
/** The details of a party of this participant, without the version. */
const local = (party: string, annotations: Record<string, string>) => ({
  party,
  isLocal: true,
  identityProviderId: '',
  annotations,
});
function unversioned({ localMetadata: { resourceVersion, annotations }, ...details }: JsonAnswer) {
  expect(resourceVersion).not.toBe('');
  return { ...details, annotations };
}
const byParty = (list: JsonAnswer[]): JsonAnswer[] =>
  [...list].sort((a, b) => (a.party < b.party ? -1 : 1));
const provider = (id: string) =>
  alpha.ok('/v2/idps', {
    identityProviderConfig: {
      identityProviderId: id,
      isDeactivated: false,
      issuer: `issuer of ${id}`,
      jwksUrl: 'http://localhost:8080/jwks.json',
      audience: '',
    },
  });

let grpc: GrpcClient;
beforeAll(async () => (grpc = await GrpcClient.connect(alpha.canticle.urls.grpc!)));
afterAll(() => grpc.close());

/** A call that JSON does not have. */
const move = (party: string, source: string, target: string) =>
  grpc.call('admin.PartyManagementService/UpdatePartyIdentityProviderId', {
    party,
    sourceIdentityProviderId: source,
    targetIdentityProviderId: target,
  });
const refusedMove = async (party: string, source: string, target: string): Promise<string> =>
  move(party, source, target).then(
    () => 'accepted',
    ({ details }: GrpcFault) => details['ErrorInfo'].reason,
  );
/** As those of a provider see a party. */
const seen = async (party: string, by: string): Promise<unknown> => {
  const [entry] = await details([party], alpha, by);
  return [entry.identityProviderId, entry.isLocal];
};

conformanceSuite('PartyManagementServiceIT', {}, (reproduce) => {
  reproduce('PMUpdatingPartyIdentityProviderNonDefaultIdps', 'it moves', async () => {
    await provider('from');
    await provider('to');
    const { party } = await allocate('moved', { identityProviderId: 'from' });
    expect(await seen(party, 'from')).toEqual(['from', true]);
    await move(party, 'from', 'to');
    expect([await seen(party, 'to'), await seen(party, 'from')]).toEqual([
      ['to', true],
      ['', false],
    ]);
    await move(party, 'to', '');
  });

  reproduce(
    'PMUpdatingPartyIdentityProviderWithDefaultIdp',
    'moves a party from the default provider to another one and back',
    async () => {
      await provider('other');
      const { party } = await allocate('moved-from-none');
      expect(await seen(party, '')).toEqual(['', true]);
      await move(party, '', 'other');
      expect(await seen(party, 'other')).toEqual(['other', true]);
      await move(party, 'other', '');
    },
  );

  reproduce('PMUpdatingPartyIdentityProviderNonExistentIdps', 'INVALID_ARGUMENT', async () => {
    const { party } = await allocate('staying');
    expect(await refusedMove(party, 'nobody', '')).toBe('INVALID_ARGUMENT');
    expect(await refusedMove(party, '', 'nobody')).toBe('INVALID_ARGUMENT');
  });

  reproduce('PMUpdatingPartyIdentityProviderMismatchedSourceIdp', 'PARTY_NOT_FOUND', async () => {
    for (const id of ['owning', 'mismatched', 'wanted']) await provider(id);
    const { party } = await allocate('of-nobody');
    const { party: owned } = await allocate('owned', { identityProviderId: 'owning' });
    for (const each of [party, owned])
      expect(await refusedMove(each, 'mismatched', 'wanted')).toBe('PARTY_NOT_FOUND');
  });

  reproduce(
    'PMUpdatingPartyIdentityProviderSourceAndTargetIdpTheSame',
    'accepts the move, and changes nothing',
    async () => {
      await provider('same');
      const { party } = await allocate('same-none');
      const { party: owned } = await allocate('same-one', { identityProviderId: 'same' });
      await move(party, '', '');
      await move(owned, 'same', 'same');
      expect([await seen(party, ''), await seen(owned, 'same')]).toEqual([
        ['', true],
        ['same', true],
      ]);
    },
  );

  reproduce(
    'PMGetPartiesUsingDifferentIdps',
    'hides the details of parties of other providers',
    async () => {
      await provider('one');
      await provider('two');
      const { party } = await allocate('default');
      const { party: ofOne } = await allocate('of-one', { identityProviderId: 'one' });
      const { party: ofTwo } = await allocate('of-two', { identityProviderId: 'two' });
      const seen = async (identityProvider: string, ...parties: string[]) =>
        (await details(parties, alpha, identityProvider)).map((each) => [
          each.party,
          each.isLocal,
          each.identityProviderId,
        ]);
      expect(new Set(await seen('', party, ofOne))).toEqual(
        new Set([
          [party, true, ''],
          [ofOne, true, ''],
        ]),
      );
      expect(new Set(await seen('one', party, ofOne, ofTwo))).toEqual(
        new Set([
          [party, false, ''],
          [ofOne, true, 'one'],
          [ofTwo, false, ''],
        ]),
      );
    },
  );

  reproduce('PMNonEmptyParticipantID', 'returns an id', async () => {
    const { participantId } = (await get('/v2/parties/participant-id')).body;
    expect(participantId).toMatch(/^alpha::1220/);
  });

  reproduce('PMAllocateWithHint', 'the id begins with the hint', async () => {
    expect((await allocate('PMAllocateWithHint')).party).toMatch(/^PMAllocateWithHint::/);
  });

  reproduce('PMAllocateWithoutHint', 'the participant chooses an id', async () => {
    expect((await allocate('')).party).toMatch(/^.+::1220/);
  });

  reproduce('PMAllocateWithLocalMetadataAnnotations', 'keeps the annotations', async () => {
    const given = annotations(['key1', 'val1'], ['key2', 'val2']);
    const allocated = await allocate('', given);
    expect(unversioned(allocated)).toEqual(local(allocated.party, { key1: 'val1', key2: 'val2' }));
    expect(await details([allocated.party])).toEqual([allocated]);
  });

  reproduce('PMFailToAllocateWhenAnnotationsHaveEmptyValues', 'INVALID_ARGUMENT', async () => {
    const request = allocating('', annotations(['key1', 'val1'], ['key2', '']));
    await expectInvalid(request, 'The value of an annotation is empty');
  });

  reproduce(
    'PMRejectionDuplicateHint',
    'rejects the second allocation with INVALID_ARGUMENT',
    async () => {
      await allocate('twice');
      await expectInvalid(allocating('twice'), /Party already exists|PartyToParticipant/);
    },
  );

  reproduce('PMRejectLongPartyHints', 'rejects a hint of 256 characters', async () => {
    await expectInvalid(allocating('x'.repeat(256)), 'Party is too long');
  });

  reproduce('PMRejectInvalidPartyHints', 'rejects an emoji in a hint', async () => {
    await expectInvalid(allocating('\u{1F600}'), 'non expected character');
  });

  reproduce('PMAllocateOneHundred', 'allocates 100 different parties', async () => {
    const made = await Promise.all(Array.from({ length: 100 }, () => allocate('')));
    expect(new Set(named(made)).size).toBe(100);
  });

  reproduce('PMGetPartiesDetails', 'returns the known parties only', async () => {
    const [first, second] = [
      await allocate('first', annotations(['k1', 'v1'])),
      await allocate('second', annotations(['k2', 'v2'])),
    ];
    const found = await details([first.party, second.party, 'non-existent']);
    expect(byParty(found).map(unversioned)).toEqual([
      local(first.party, { k1: 'v1' }),
      local(second.party, { k2: 'v2' }),
    ]);
    expect(await details(['non-existent'])).toEqual([]);
  });

  reproduce('PMListKnownParties', 'lists all parties with their metadata', async () => {
    const made = [
      await allocate('first', annotations(['k1', 'v1'])),
      await allocate('second'),
      await allocate('third'),
    ];
    const ids = named(made);
    const { partyDetails } = await list();
    const found = partyDetails.filter(({ party }: JsonAnswer) => ids.includes(party));
    expect(byParty(found).map(unversioned)).toEqual([
      local(ids[0]!, { k1: 'v1' }),
      local(ids[1]!, {}),
      local(ids[2]!, {}),
    ]);
  });

  reproduce(
    'PMGetPartiesBoundaryConditions',
    'omits unknown parties, without an error',
    async () => {
      const { party } = await allocate('alice');
      await alpha.submit(create(model('Dummy'), { operator: party }), { actAs: party });
      expect(await details([party])).toMatchObject([{ party, isLocal: true }]);
      expect(await details([party, 'nobody'])).toMatchObject([{ party, isLocal: true }]);
      expect(await details(['nobody'])).toEqual([]);
    },
  );

  reproduce('PMGetPartiesIsLocal', 'isLocal is true on the hosting participant only', async () => {
    const { party: alice } = await allocate('alice');
    const { party: bob } = await allocate('bob', {}, beta);
    for (const [api, party] of [
      [alpha, alice],
      [beta, bob],
    ] as const)
      await api.submit(create(model('Dummy'), { operator: party }), { actAs: party });
    const seen = async (api: LedgerApi) =>
      Object.fromEntries(
        (await details([alice, bob], api)).map(({ party, isLocal }) => [party, isLocal]),
      );
    expect(await seen(alpha)).toEqual({ [alice]: true, [bob]: false });
    expect(await seen(beta)).toEqual({ [alice]: false, [bob]: true });
  });

  reproduce(
    'PMPagedListKnownPartiesNewPartyVisibleOnPage',
    'a new party appears on the first page if it sorts first',
    async () => {
      await allocate('m');
      const before = named((await list({ pageSize: 10 })).partyDetails);
      const { party } = await allocate('A');
      expect(before).not.toContain(party);
      expect(named((await list({ pageSize: 10 })).partyDetails)).toContain(party);
    },
  );

  reproduce(
    'PMPagedListKnownPartiesNewPartyInvisibleOnNextPage',
    'a new party on an earlier page does not change the next page',
    async () => {
      for (const hint of ['b', 'd', 'f', 'h']) await allocate(hint);
      const { nextPageToken: pageToken, partyDetails } = await list({ pageSize: 2 });
      const second = await list({ pageSize: 2, pageToken });
      expect([partyDetails.length, second.partyDetails.length]).toEqual([2, 2]);
      const [earlier, later] = named(partyDetails);
      const { party } = await allocate(`${later!.split('::')[0]}-`);
      expect(await list({ pageSize: 2, pageToken })).toEqual(second);
      // It is really on the page before.
      expect(named((await list({ pageSize: 3 })).partyDetails)).toEqual([earlier, party, later]);
    },
  );

  reproduce(
    'PMPagedListKnownPartiesReachingTheLastPage',
    'the last page has no token',
    async () => {
      for (const hint of ['b', 'd', 'f', 'h']) await allocate(hint);
      const found: string[] = [];
      let pageToken = '';
      do {
        const page = await list({ pageSize: 3, pageToken });
        found.push(...named(page.partyDetails));
        pageToken = page.nextPageToken;
        expect(found.length).toBeLessThan(100);
      } while (pageToken !== '');
      expect(found).toEqual(named((await list()).partyDetails));
    },
  );

  reproduce('PMPagedListKnownPartiesWithInvalidRequest', 'INVALID_ARGUMENT', async () => {
    const uuid = '8b7d5f0e-0f0e-4f0e-8f0e-0f0e8b7d5f0e';
    await expectInvalid(get(`/v2/parties?pageToken=${uuid}`));
    await expectInvalid(get('/v2/parties?pageSize=-100'));
  });

  reproduce(
    'PMPagedListKnownPartiesZeroPageSize',
    'a page size of 0 selects the default page size',
    async () => {
      await allocate('b');
      await allocate('d');
      const [usual, one] = [await list({ pageSize: 0 }), await list({ pageSize: 1 })];
      expect(one.partyDetails).toHaveLength(1);
      expect(usual.partyDetails[0]).toEqual(one.partyDetails[0]);
    },
  );

  reproduce('PMListFilteredKnownParties', 'filters by the whole id, or by its prefix', async () => {
    const [first, second] = await Promise.all(['u1', 'u2', 'u3'].map((hint) => allocate(hint)));
    const filtered = async (filter: string) =>
      named((await list({ 'filter-party': filter })).partyDetails);
    expect(await filtered(first!.party)).toEqual([first!.party]);
    expect(await filtered('u2')).toEqual([second!.party]);
  });

  reproduce(
    'PMPagedListKnownPartiesMaxPageSize',
    'rejects a larger page size with INVALID_ARGUMENT',
    async () => {
      const { features } = (await get('/v2/version')).body;
      const { maxPartiesPageSize } = features.partyManagement;
      expect(maxPartiesPageSize).toBeGreaterThan(0);
      await expectInvalid(
        get(`/v2/parties?pageSize=${maxPartiesPageSize + 1}`),
        "Page size must not exceed the server's maximum",
      );
    },
  );

  reproduce(
    'PMGenerateExternalPartyTopologyTransaction',
    'onboards the party from the signed transactions',
    async () => {
      const { party } = await onboard(alpha, 'external', newKey());
      expect(named(await details([party]))).toEqual([party]);
    },
  );
});

conformanceSuite('ExternalPartyManagementServiceIT', {}, (reproduce) => {
  reproduce(
    'PMAllocateExternalPartyBasic',
    'allocates a party with the hint, and lists it',
    async () => {
      const { party } = await onboard(alpha, 'PMAllocateExternalPartyBasic');
      expect(party).toMatch(/^PMAllocateExternalPartyBasic::/);
      expect(named(await details([party]))).toEqual([party]);
    },
  );
});
