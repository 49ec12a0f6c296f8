/** Conformance: parties, local and external. */
import { newKey, onboard } from '../external/external-party.js';
import { create, type LedgerApi, type Told } from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParticipant } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const alpha = useLedgerApi({ participants: [{ name: 'alpha' }, { name: 'beta' }] });
const beta = useParticipant(alpha, 'beta');

const get = (path: string, api: LedgerApi = alpha) => api.client.ledger('GET', path);
const allocate = async (partyIdHint: string, more: object = {}, api = alpha): Promise<Told> =>
  (await api.ok('/v2/parties', { partyIdHint, ...more })).partyDetails;
async function refusal(partyIdHint: string, more: object = {}) {
  const { status, body } = await alpha.post('/v2/parties', { partyIdHint, ...more });
  return { status, code: body.code, cause: body.cause };
}
const invalid = (cause: string | RegExp) => ({
  status: 400,
  code: 'INVALID_ARGUMENT',
  cause: expect.stringMatching(cause),
});

/** Details of parties, asked for by name. */
async function details(parties: string[], api = alpha, identityProvider = ''): Promise<Told[]> {
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
const listRefusal = async (query: string) => {
  const { status, body } = await get(`/v2/parties?${query}`);
  return { status, code: body.code, cause: body.cause };
};
const named = (each: Told[]): string[] => each.map(({ party }) => party);
const annotations = (...entries: [string, string][]) => ({
  localMetadata: { resourceVersion: '', annotations: Object.fromEntries(entries) },
});
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

const NO_MOVE = 'JSON cannot move a party to another identity provider';

conformanceSuite(
  'PartyManagementServiceIT',
  {
    notApplicable: {
      PMUpdatingPartyIdentityProviderNonDefaultIdps: NO_MOVE,
      PMUpdatingPartyIdentityProviderWithDefaultIdp: NO_MOVE,
      PMUpdatingPartyIdentityProviderNonExistentIdps: NO_MOVE,
      PMUpdatingPartyIdentityProviderMismatchedSourceIdp: NO_MOVE,
      PMUpdatingPartyIdentityProviderSourceAndTargetIdpTheSame: NO_MOVE,
    },
  },
  (reproduce) => {
    reproduce('PMGetPartiesUsingDifferentIdps', 'of others, nothing but the name', async () => {
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
    });

    reproduce('PMNonEmptyParticipantID', 'it has an id', async () => {
      expect((await get('/v2/parties/participant-id')).body.participantId).not.toBe('');
    });

    reproduce('PMAllocateWithHint', 'the id begins with the hint', async () => {
      expect((await allocate('PMAllocateWithHint')).party).toMatch(/^PMAllocateWithHint::/);
    });

    reproduce('PMAllocateWithoutHint', 'the id is made up', async () => {
      expect((await allocate('')).party).toMatch(/^.+::1220/);
    });

    reproduce('PMAllocateWithLocalMetadataAnnotations', 'they are kept', async () => {
      const given = annotations(['key1', 'val1'], ['key2', 'val2']);
      const allocated = await allocate('', given);
      expect(allocated).toMatchObject({
        isLocal: true,
        identityProviderId: '',
        localMetadata: { annotations: { key1: 'val1', key2: 'val2' } },
      });
      expect(allocated.localMetadata.resourceVersion).not.toBe('');
      expect(await details([allocated.party])).toEqual([allocated]);
    });

    reproduce('PMFailToAllocateWhenAnnotationsHaveEmptyValues', 'INVALID_ARGUMENT', async () => {
      expect(await refusal('', annotations(['key1', 'val1'], ['key2', '']))).toEqual(invalid(''));
    });

    reproduce('PMRejectionDuplicateHint', 'INVALID_ARGUMENT the second time', async () => {
      await allocate('twice');
      expect(await refusal('twice')).toEqual(invalid(/Party already exists|PartyToParticipant/));
    });

    reproduce('PMRejectLongPartyHints', 'INVALID_ARGUMENT for 256 characters', async () => {
      expect(await refusal('x'.repeat(256))).toEqual(invalid('Party is too long'));
    });

    reproduce('PMRejectInvalidPartyHints', 'INVALID_ARGUMENT for an emoji', async () => {
      expect(await refusal('\u{1F600}')).toEqual(invalid('non expected character'));
    });

    reproduce('PMAllocateOneHundred', 'a hundred different ones', async () => {
      const made = await Promise.all(Array.from({ length: 100 }, () => allocate('')));
      expect(new Set(named(made)).size).toBe(100);
    });

    reproduce('PMGetPartiesDetails', 'those that are known', async () => {
      const [first, second] = [
        await allocate('first', annotations(['k1', 'v1'])),
        await allocate('second', annotations(['k2', 'v2'])),
      ];
      const found = await details([first.party, second.party, 'non-existent']);
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([first, second]));
      expect(await details(['non-existent'])).toEqual([]);
    });

    reproduce('PMListKnownParties', 'all of them, with their metadata', async () => {
      const made = [
        await allocate('first', annotations(['k1', 'v1'])),
        await allocate('second'),
        await allocate('third'),
      ];
      const { partyDetails } = await list();
      expect(partyDetails).toEqual(expect.arrayContaining(made));
      expect(
        made.map(({ isLocal, localMetadata }) => [isLocal, localMetadata.annotations]),
      ).toEqual([
        [true, { k1: 'v1' }],
        [true, {}],
        [true, {}],
      ]);
    });

    reproduce('PMGetPartiesBoundaryConditions', 'none is no error', async () => {
      const { party } = await allocate('alice');
      await alpha.submit(create(model('Dummy'), { operator: party }), { actAs: party });
      expect(await details([party])).toMatchObject([{ party, isLocal: true }]);
      expect(await details([party, 'nobody'])).toMatchObject([{ party, isLocal: true }]);
      expect(await details(['nobody'])).toEqual([]);
    });

    reproduce('PMGetPartiesIsLocal', 'where it is hosted', async () => {
      const { party: alice } = await allocate('alice');
      const { party: bob } = await allocate('bob', {}, beta);
      const local = async (api: LedgerApi) =>
        Object.fromEntries(
          (await details([alice, bob], api)).map(({ party, isLocal }) => [party, isLocal]),
        );
      expect(await local(alpha)).toEqual({ [alice]: true, [bob]: false });
      expect(await local(beta)).toEqual({ [alice]: false, [bob]: true });
    });

    reproduce('PMPagedListKnownPartiesNewPartyVisibleOnPage', 'a new first one', async () => {
      await allocate('m');
      const before = named((await list({ pageSize: 10 })).partyDetails);
      const { party } = await allocate('A');
      expect(before).not.toContain(party);
      expect(named((await list({ pageSize: 10 })).partyDetails)).toContain(party);
    });

    reproduce('PMPagedListKnownPartiesNewPartyInvisibleOnNextPage', 'stays as it was', async () => {
      for (const hint of ['b', 'd', 'f', 'h']) await allocate(hint);
      const { nextPageToken: pageToken, partyDetails } = await list({ pageSize: 2 });
      const second = await list({ pageSize: 2, pageToken });
      expect([partyDetails.length, second.partyDetails.length]).toEqual([2, 2]);
      const [earlier] = named(partyDetails).map((party) => party.split('::')[0]);
      await allocate(`${earlier}-`);
      expect(await list({ pageSize: 2, pageToken })).toEqual(second);
    });

    reproduce('PMPagedListKnownPartiesReachingTheLastPage', 'there is a last page', async () => {
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
    });

    reproduce('PMPagedListKnownPartiesWithInvalidRequest', 'INVALID_ARGUMENT', async () => {
      const uuid = '8b7d5f0e-0f0e-4f0e-8f0e-0f0e8b7d5f0e';
      expect(await listRefusal(`pageToken=${uuid}`)).toEqual(invalid(''));
      expect(await listRefusal('pageSize=-100')).toEqual(invalid(''));
    });

    reproduce('PMPagedListKnownPartiesZeroPageSize', 'zero is as many as usual', async () => {
      await allocate('b');
      await allocate('d');
      const [usual, one] = [await list({ pageSize: 0 }), await list({ pageSize: 1 })];
      expect(one.partyDetails).toHaveLength(1);
      expect(usual.partyDetails[0]).toEqual(one.partyDetails[0]);
    });

    reproduce('PMListFilteredKnownParties', 'by the whole id, or how it begins', async () => {
      const [first, second] = await Promise.all(['u1', 'u2', 'u3'].map((hint) => allocate(hint)));
      const filtered = async (filter: string) =>
        named((await list({ 'filter-party': filter })).partyDetails);
      expect(await filtered(first!.party)).toEqual([first!.party]);
      expect(await filtered('u2')).toEqual([second!.party]);
    });

    reproduce('PMPagedListKnownPartiesMaxPageSize', 'INVALID_ARGUMENT above it', async () => {
      const { features } = (await get('/v2/version')).body;
      const { maxPartiesPageSize } = features.partyManagement;
      expect(await listRefusal(`pageSize=${maxPartiesPageSize + 1}`)).toEqual(
        invalid("Page size must not exceed the server's maximum"),
      );
    });

    reproduce('PMGenerateExternalPartyTopologyTransaction', 'signed, it is a party', async () => {
      const { party } = await onboard(alpha, 'external', newKey());
      expect(named(await details([party]))).toEqual([party]);
    });
  },
);

conformanceSuite('ExternalPartyManagementServiceIT', {}, (reproduce) => {
  reproduce('PMAllocateExternalPartyBasic', 'the id has the hint, and is listed', async () => {
    const { party } = await onboard(alpha, 'PMAllocateExternalPartyBasic');
    expect(party).toMatch(/^PMAllocateExternalPartyBasic::/);
    expect(named((await list()).partyDetails)).toContain(party);
  });
});
