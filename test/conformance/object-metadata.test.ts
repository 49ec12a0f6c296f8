/** Conformance: annotations and resource versions of parties and users, and what else of a party can be updated. */
import { useLedgerApi } from '../support/shared-ledger-api.js';
import { conformanceSuite, type Reproduce } from './support/suite.js';

const api = useLedgerApi();
const call = (method: string, path: string, body?: unknown) =>
  api.client.ledger(method, path, body);

type Annotations = Record<string, string>;
interface Metadata {
  readonly resourceVersion: string;
  readonly annotations: Annotations;
}

/** A kind of thing that has metadata. */
interface Kind {
  readonly idPath: string;
  readonly metadataPath: string;
  readonly concurrent: string;
  readonly invalidUpdate: string;
  create(id: string, annotations: Annotations): Promise<{ id: string; metadata: Metadata }>;
  refusedCreation(annotations: Annotations): Promise<Refusal>;
  get(id: string): Promise<Metadata>;
  /** The request that would update it. */
  update(id: string, metadata: Metadata, paths: readonly string[]): Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly refusal: Refusal;
  readonly metadata: Metadata;
}
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly cause: string;
}

const refusalOf = ({ status, body }: Awaited<ReturnType<typeof call>>): Refusal => ({
  status,
  code: body.code,
  cause: body.cause,
});

let users = 0;
const userBody = (id: string, annotations: Annotations) => ({
  user: {
    id,
    primaryParty: '',
    isDeactivated: false,
    identityProviderId: '',
    metadata: { resourceVersion: '', annotations },
  },
  rights: [],
});
const user: Kind = {
  idPath: 'id',
  metadataPath: 'metadata',
  concurrent: 'CONCURRENT_USER_UPDATE_DETECTED',
  invalidUpdate: 'INVALID_USER_UPDATE_REQUEST',
  async create(id, annotations) {
    const made = await api.ok('/v2/users', userBody(id, annotations));
    return { id, metadata: made.user.metadata };
  },
  refusedCreation: async (annotations) =>
    refusalOf(await call('POST', '/v2/users', userBody(`refused-${++users}`, annotations))),
  get: async (id) => (await call('GET', `/v2/users/${id}`)).body.user.metadata,
  async update(id, metadata, paths) {
    const body = { user: { ...userBody(id, {}).user, metadata }, updateMask: { paths } };
    const answer = await call('PATCH', `/v2/users/${id}`, body);
    const { status } = answer;
    return { status, refusal: refusalOf(answer), metadata: answer.body.user?.metadata };
  },
};

const partyPath = (party: string) => `/v2/parties/${encodeURIComponent(party)}`;
const allocation = (partyIdHint: string, annotations: Annotations) => ({
  partyIdHint,
  localMetadata: { resourceVersion: '', annotations },
});
const party: Kind = {
  idPath: 'party',
  metadataPath: 'local_metadata',
  concurrent: 'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED',
  invalidUpdate: 'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
  async create(hint, annotations) {
    const { partyDetails } = await api.ok('/v2/parties', allocation(hint, annotations));
    return { id: partyDetails.party, metadata: partyDetails.localMetadata };
  },
  refusedCreation: async (annotations) =>
    refusalOf(await call('POST', '/v2/parties', allocation('', annotations))),
  get: async (id) => (await call('GET', partyPath(id))).body.partyDetails[0].localMetadata,
  async update(id, localMetadata, paths) {
    const partyDetails = { party: id, isLocal: false, localMetadata, identityProviderId: '' };
    const answer = await call('PATCH', partyPath(id), { partyDetails, updateMask: { paths } });
    const { status } = answer;
    const metadata = answer.body.partyDetails?.localMetadata;
    return { status, refusal: refusalOf(answer), metadata };
  },
};

/** UTF-8 bytes of all keys and values together. */
const LIMIT = 256 * 1024;
const LARGEST_VALUE = 'a'.repeat(LIMIT - 1);
const TOO_LARGE = 'a'.repeat(LIMIT);
const VALID_KEY = '0-aaaa.management.daml/foo';
const INVALID_KEY = '.aaaa.management.daml/foo_';

function metadataCases(kind: Kind, reproduce: Reproduce): void {
  const { idPath, metadataPath, invalidUpdate } = kind;
  const annotationsPath = `${metadataPath}.annotations`;
  const fresh = (annotations: Annotations = {}) => kind.create('fresh', annotations);
  const update = (
    id: string,
    annotations: Annotations,
    paths = [annotationsPath],
    resourceVersion = '',
  ) => kind.update(id, { resourceVersion, annotations }, paths);
  const annotationsAfter = async (...asked: Parameters<typeof update>) =>
    (await update(...asked)).metadata.annotations;
  const refused = async (...asked: Parameters<typeof update>) => (await update(...asked)).refusal;
  const invalidArgument = (cause: string) => ({
    status: 400,
    code: 'INVALID_ARGUMENT',
    cause: expect.stringContaining(cause),
  });

  reproduce(
    'AllowSpecifyingResourceVersionAndResourceIdInUpdateMask',
    'they stand for nothing that changes',
    async () => {
      const { id, metadata } = await fresh({ k: 'v' });
      const paths = [idPath, `${metadataPath}.resource_version`];
      expect(await annotationsAfter(id, {}, paths)).toEqual(metadata.annotations);
    },
  );

  reproduce(
    'UpdatingResourceUtilizingConcurrentChangeControl',
    'an old version is refused, none at all is not checked',
    async () => {
      const { id, metadata: first } = await fresh();
      const { metadata: second } = await update(id, { k1: 'v1', k2: 'v2' });
      expect(second.annotations).toEqual({ k1: 'v1', k2: 'v2' });
      expect(second.resourceVersion).not.toBe(first.resourceVersion);
      const paths = [annotationsPath];
      expect(await refused(id, { k1: 'v1' }, paths, first.resourceVersion)).toMatchObject({
        code: kind.concurrent,
      });
      const changes = { k1: 'v1a', k2: '', k3: 'v3' };
      const { metadata: third } = await update(id, changes, paths, second.resourceVersion);
      expect(third.annotations).toEqual({ k1: 'v1a', k3: 'v3' });
      expect(third.resourceVersion).not.toBe(second.resourceVersion);
    },
  );

  reproduce('RaceConditionUpdateResourceAnnotations', 'ten at once are all kept', async () => {
    const { id } = await fresh();
    const keys = Array.from({ length: 10 }, (_, at) => `key${at + 1}`);
    await Promise.all(keys.map((key) => update(id, { [key]: 'a' })));
    expect((await kind.get(id)).annotations).toEqual(
      Object.fromEntries(keys.map((key) => [key, 'a'])),
    );
  });

  reproduce('FailingUpdateRequestsWhenUpdatePathIsDuplicated', 'the same path twice', async () => {
    const { id } = await fresh();
    const twice = [annotationsPath, annotationsPath];
    expect(await refused(id, { k1: 'v1' }, twice)).toMatchObject({ code: invalidUpdate });
  });

  reproduce('FailingUpdateRequestWhenNoUpdatePaths', 'no path', async () => {
    const { id } = await fresh();
    expect(await refused(id, { k1: 'v1' }, [])).toMatchObject({ code: invalidUpdate });
  });

  reproduce(
    'FAilingUpdateRequestWhenUpdateMaskHaveUnknownFieldPath',
    'a path that is none',
    async () => {
      const { id } = await fresh();
      for (const path of ['unknown_field', 'aaa!bbb', ''])
        expect(await refused(id, {}, [path])).toMatchObject({ code: invalidUpdate });
    },
  );

  reproduce('FailingToCreateResourceWhenAnnotationsValueIsEmpty', 'nothing to keep', async () => {
    expect(await kind.refusedCreation({ k2: '' })).toEqual(
      invalidArgument('value of an annotation is empty'),
    );
  });

  reproduce('TestAnnotationsKeySyntaxOnResourceCreation', 'a key that is none', async () => {
    expect(await kind.refusedCreation({ [INVALID_KEY]: 'a' })).toEqual(
      invalidArgument('has invalid syntax'),
    );
  });

  reproduce('TestAnnotationsSizeLimitsOnResourceCreation', 'a byte too many', async () => {
    expect(await kind.refusedCreation({ a: TOO_LARGE })).toEqual(
      invalidArgument('larger than the limit of 256kb'),
    );
  });

  const three = { k1: 'v1', k2: 'v2', k3: 'v3' };
  reproduce('UpdateAnnotationsUsingNonEmptyMap', 'merged; empty values take away', async () => {
    const { id } = await fresh(three);
    for (const path of [annotationsPath, metadataPath])
      expect(await annotationsAfter(id, { k1: 'v1a', k3: '', k4: 'v4', k5: '' }, [path])).toEqual({
        k1: 'v1a',
        k2: 'v2',
        k4: 'v4',
      });
  });

  reproduce('UpdateAnnotationsUsingEmptyMap', 'an empty map changes nothing', async () => {
    const { id } = await fresh(three);
    for (const path of [annotationsPath, metadataPath])
      expect(await annotationsAfter(id, {}, [path])).toEqual(three);
  });

  reproduce(
    'TestAnnotationsKeySyntaxOnResourceUpdateWhenAddingKey',
    'a key that is none',
    async () => {
      const { id } = await fresh({ [VALID_KEY]: 'a' });
      expect(await refused(id, { [INVALID_KEY]: 'a' })).toEqual(
        invalidArgument('has invalid syntax'),
      );
    },
  );

  reproduce(
    'TestAnnotationsKeySyntaxOnResourceUpdateEvenWhenDeletingNonExistentKey',
    'a key that is none, to be deleted',
    async () => {
      const { id } = await fresh();
      expect(await refused(id, { [INVALID_KEY]: '' })).toEqual(
        invalidArgument('has invalid syntax'),
      );
    },
  );

  reproduce(
    'NotCountingEmptyValuedKeysToTheAnnotationsSizeLimitOnUpdate',
    'what is taken away does not count',
    async () => {
      const { id } = await fresh();
      const annotations = await annotationsAfter(id, { a: LARGEST_VALUE, cc: '' });
      expect(annotations).toEqual({ a: LARGEST_VALUE });
    },
  );

  reproduce('TestAnnotationsMaxSizeLimitsWhenUpdatingResource', 'a byte too many', async () => {
    const { id } = await fresh({ a: LARGEST_VALUE });
    expect(await refused(id, { a: TOO_LARGE })).toEqual(
      invalidArgument('larger than the limit of 256kb'),
    );
  });
}

conformanceSuite('PartyManagementServiceObjectMetaIT', {}, (reproduce) => {
  metadataCases(party, reproduce);
});
conformanceSuite('UserManagementServiceObjectMetaIT', {}, (reproduce) => {
  metadataCases(user, reproduce);
});

conformanceSuite('PartyManagementServiceUpdateRpcIT', {}, (reproduce, answerOtherwise) => {
  const allocated = async (annotations: Annotations = {}) =>
    (await api.ok('/v2/parties', allocation('alice', annotations))).partyDetails;
  const patch = (id: string, partyDetails: unknown, paths: string[]) =>
    call('PATCH', partyPath(id), { partyDetails, updateMask: { paths } });
  const unversioned = ({ localMetadata, ...details }: { localMetadata: Metadata }) => ({
    ...details,
    annotations: localMetadata.annotations,
  });

  reproduce('PMUpdateAllUpdatableFields', 'annotations, merged', async () => {
    const details = await allocated({ k1: 'v1', k2: 'v2', k3: 'v3' });
    const localMetadata = {
      resourceVersion: '',
      annotations: { k1: 'v1a', k3: '', k4: 'v4' },
    };
    const { body } = await patch(details.party, { ...details, localMetadata }, [
      'local_metadata.annotations',
    ]);
    expect(unversioned(body.partyDetails)).toEqual({
      ...unversioned(details),
      annotations: { k1: 'v1a', k2: 'v2', k4: 'v4' },
    });
  });

  reproduce('PMFailAttemptingToUpdateIsLocal', 'INVALID_PARTY_DETAILS_UPDATE_REQUEST', async () => {
    const details = await allocated();
    const answer = await patch(details.party, { ...details, isLocal: false }, ['is_local']);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARTY_DETAILS_UPDATE_REQUEST' },
    });
  });

  reproduce(
    'PMAllowSpecifyingIsLocalAndDisplayNameIfMatchingTheRealValues',
    'what it is already',
    async () => {
      const details = await allocated();
      const { status, body } = await patch(details.party, details, ['is_local']);
      expect(status).toBe(200);
      expect(unversioned(body.partyDetails)).toEqual(unversioned(details));
    },
  );

  reproduce(
    'UpdatePartyDetailsEvenIfMetadataIsNotSetInUpdateRequest',
    'nothing changes without metadata',
    async () => {
      const details = await allocated();
      const { party: id } = details;
      const { status, body } = await patch(id, { party: id, isLocal: false }, ['party']);
      expect(status).toBe(200);
      expect(unversioned(body.partyDetails)).toEqual(unversioned(details));
    },
  );

  answerOtherwise(
    'FailingUpdateRequestsWhenPartyDetailsFieldIsUnset',
    'nothing to update',
    async () => {
      const { party: id } = await allocated();
      // JSON compares the party of the path with that of the body, before a participant would miss it.
      const answer = await patch(id, undefined, ['local_metadata']);
      expect(answer.status).toBe(400);
    },
  );

  reproduce('FailUpdateNonExistentParty', 'PARTY_NOT_FOUND', async () => {
    const { party: other } = await allocated();
    const id = other.replace('alice', 'nobody');
    const localMetadata = { resourceVersion: '', annotations: { k1: 'v1' } };
    const details = { party: id, isLocal: false, localMetadata, identityProviderId: '' };
    expect(await patch(id, details, ['local_metadata.annotations'])).toMatchObject({
      status: 404,
      body: { code: 'PARTY_NOT_FOUND' },
    });
  });
});
