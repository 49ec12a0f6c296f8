/** Conformance: annotations and resource versions of parties and users, and what else of a party can be updated. */
import type { JsonAnswer } from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import { conformanceSuite, type Reproduce } from '../support/suite.js';

const api = useLedgerApi({ grpc: true });
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
  /** The answer to a creation. */
  creating(annotations: Annotations): Answering;
  get(id: string): Promise<Metadata>;
  /** The answer to an update. */
  updating(id: string, metadata: Metadata, paths: readonly string[]): Answering;
  /** The metadata in the answer to an update. */
  metadataOf(body: JsonAnswer): Metadata;
}
type Answering = ReturnType<typeof call>;

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
  creating: (annotations) => call('POST', '/v2/users', userBody(`refused-${++users}`, annotations)),
  get: async (id) => (await call('GET', `/v2/users/${id}`)).body.user.metadata,
  updating(id, metadata, paths) {
    const body = { user: { ...userBody(id, {}).user, metadata }, updateMask: { paths } };
    return call('PATCH', `/v2/users/${id}`, body);
  },
  metadataOf: ({ user: { metadata } }) => metadata,
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
  creating: (annotations) => call('POST', '/v2/parties', allocation('', annotations)),
  get: async (id) => (await call('GET', partyPath(id))).body.partyDetails[0].localMetadata,
  updating(id, localMetadata, paths) {
    const partyDetails = { party: id, isLocal: false, localMetadata, identityProviderId: '' };
    return call('PATCH', partyPath(id), { partyDetails, updateMask: { paths } });
  },
  metadataOf: ({ partyDetails: { localMetadata } }) => localMetadata,
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
  const updating = (
    id: string,
    annotations: Annotations,
    paths = [annotationsPath],
    resourceVersion = '',
  ) => kind.updating(id, { resourceVersion, annotations }, paths);
  async function update(...parameters: Parameters<typeof updating>): Promise<Metadata> {
    const { status, body } = await updating(...parameters);
    expect(status).toBe(200);
    const metadata = kind.metadataOf(body);
    expect(metadata.resourceVersion).not.toBe('');
    return metadata;
  }
  const annotationsAfter = async (...parameters: Parameters<typeof update>) =>
    (await update(...parameters)).annotations;
  const expectInvalid = (request: Answering, cause: string) =>
    expectRefused(request, 'INVALID_ARGUMENT', { cause });

  reproduce(
    'AllowSpecifyingResourceVersionAndResourceIdInUpdateMask',
    'accepts the paths of the id and the version, and changes nothing',
    async () => {
      const { id, metadata } = await fresh({ k: 'v' });
      const paths = [idPath, `${metadataPath}.resource_version`];
      expect(await annotationsAfter(id, {}, paths)).toEqual(metadata.annotations);
    },
  );

  reproduce(
    'UpdatingResourceUtilizingConcurrentChangeControl',
    'rejects an old version, and accepts an update without a version',
    async () => {
      const { id, metadata: first } = await fresh();
      expect(first.resourceVersion).not.toBe('');
      const second = await update(id, { k1: 'v1', k2: 'v2' });
      expect(second.annotations).toEqual({ k1: 'v1', k2: 'v2' });
      expect(second.resourceVersion).not.toBe(first.resourceVersion);
      const paths = [annotationsPath];
      const changes = { k1: 'v1a', k2: '', k3: 'v3' };
      await expectRefused(updating(id, changes, paths, first.resourceVersion), kind.concurrent);
      expect(await kind.get(id)).toEqual(second);
      const third = await update(id, changes, paths, second.resourceVersion);
      expect(third.annotations).toEqual({ k1: 'v1a', k3: 'v3' });
      expect(third.resourceVersion).not.toBe(second.resourceVersion);
    },
  );

  reproduce(
    'RaceConditionUpdateResourceAnnotations',
    'keeps all of ten concurrent updates',
    async () => {
      const { id } = await fresh();
      const keys = Array.from({ length: 10 }, (_, at) => `key${at + 1}`);
      await Promise.all(keys.map((key) => update(id, { [key]: 'a' })));
      expect((await kind.get(id)).annotations).toEqual(
        Object.fromEntries(keys.map((key) => [key, 'a'])),
      );
    },
  );

  reproduce(
    'FailingUpdateRequestsWhenUpdatePathIsDuplicated',
    'rejects a mask with the same path twice',
    async () => {
      const { id } = await fresh();
      const twice = [annotationsPath, annotationsPath];
      await expectRefused(updating(id, { k1: 'v1' }, twice), invalidUpdate);
    },
  );

  reproduce(
    'FailingUpdateRequestWhenNoUpdatePaths',
    'rejects an update without a path',
    async () => {
      const { id } = await fresh();
      await expectRefused(updating(id, { k1: 'v1' }, []), invalidUpdate);
    },
  );

  reproduce(
    'FAilingUpdateRequestWhenUpdateMaskHaveUnknownFieldPath',
    'rejects an unknown path',
    async () => {
      const { id } = await fresh();
      for (const path of ['unknown_field', 'aaa!bbb', ''])
        await expectRefused(updating(id, {}, [path]), invalidUpdate);
    },
  );

  reproduce(
    'FailingToCreateResourceWhenAnnotationsValueIsEmpty',
    'rejects an empty value',
    async () => {
      await expectInvalid(kind.creating({ k2: '' }), 'value of an annotation is empty');
    },
  );

  reproduce(
    'TestAnnotationsKeySyntaxOnResourceCreation',
    'rejects a key with invalid syntax',
    async () => {
      await expectInvalid(kind.creating({ [INVALID_KEY]: 'a' }), 'has invalid syntax');
    },
  );

  reproduce(
    'TestAnnotationsSizeLimitsOnResourceCreation',
    'rejects annotations that exceed the size limit',
    async () => {
      await expectInvalid(kind.creating({ a: TOO_LARGE }), 'larger than the limit of 256kb');
    },
  );

  const three = { k1: 'v1', k2: 'v2', k3: 'v3' };
  reproduce(
    'UpdateAnnotationsUsingNonEmptyMap',
    'merges the annotations, and removes keys with empty values',
    async () => {
      const { id } = await fresh(three);
      for (const path of [annotationsPath, metadataPath])
        expect(await annotationsAfter(id, { k1: 'v1a', k3: '', k4: 'v4', k5: '' }, [path])).toEqual(
          {
            k1: 'v1a',
            k2: 'v2',
            k4: 'v4',
          },
        );
    },
  );

  reproduce(
    'UpdateAnnotationsUsingEmptyMap',
    'keeps the annotations if the map is empty',
    async () => {
      const { id } = await fresh(three);
      for (const path of [annotationsPath, metadataPath])
        expect(await annotationsAfter(id, {}, [path])).toEqual(three);
    },
  );

  reproduce(
    'TestAnnotationsKeySyntaxOnResourceUpdateWhenAddingKey',
    'rejects a new key with invalid syntax',
    async () => {
      const { id } = await fresh({ [VALID_KEY]: 'a' });
      await expectInvalid(updating(id, { [INVALID_KEY]: 'a' }), 'has invalid syntax');
    },
  );

  reproduce(
    'TestAnnotationsKeySyntaxOnResourceUpdateEvenWhenDeletingNonExistentKey',
    'rejects a key with invalid syntax, even to remove it',
    async () => {
      const { id } = await fresh();
      await expectInvalid(updating(id, { [INVALID_KEY]: '' }), 'has invalid syntax');
    },
  );

  reproduce(
    'NotCountingEmptyValuedKeysToTheAnnotationsSizeLimitOnUpdate',
    'does not count removed keys towards the size limit',
    async () => {
      const { id } = await fresh();
      const annotations = await annotationsAfter(id, { a: LARGEST_VALUE, cc: '' });
      expect(annotations).toEqual({ a: LARGEST_VALUE });
    },
  );

  reproduce(
    'TestAnnotationsMaxSizeLimitsWhenUpdatingResource',
    'rejects annotations that exceed the size limit',
    async () => {
      const { id } = await fresh({ a: LARGEST_VALUE });
      await expectInvalid(updating(id, { a: TOO_LARGE }), 'larger than the limit of 256kb');
    },
  );
}

conformanceSuite('PartyManagementServiceObjectMetaIT', {}, (reproduce) => {
  metadataCases(party, reproduce);
});
conformanceSuite('UserManagementServiceObjectMetaIT', {}, (reproduce) => {
  metadataCases(user, reproduce);
});

conformanceSuite('PartyManagementServiceUpdateRpcIT', {}, (reproduce, _, overJson) => {
  const allocated = async (annotations: Annotations = {}) =>
    (await api.ok('/v2/parties', allocation('alice', annotations))).partyDetails;
  const patch = (id: string, partyDetails: unknown, paths: string[]) =>
    call('PATCH', partyPath(id), { partyDetails, updateMask: { paths } });
  const unversioned = ({ localMetadata, ...details }: JsonAnswer) => {
    expect(localMetadata.resourceVersion).not.toBe('');
    return { ...details, annotations: localMetadata.annotations };
  };
  const described = (id: string, annotations: Annotations = {}) => ({
    party: id,
    isLocal: true,
    identityProviderId: '',
    annotations,
  });

  reproduce('PMUpdateAllUpdatableFields', 'annotations, merged', async () => {
    const { party: id } = await allocated({ k1: 'v1', k2: 'v2', k3: 'v3' });
    const annotations = { k1: 'v1a', k3: '', k4: 'v4', k5: '' };
    const localMetadata = { resourceVersion: '', annotations };
    // The mask does not include `isLocal`.
    const details = { party: id, isLocal: false, localMetadata, identityProviderId: '' };
    const { body } = await patch(id, details, ['local_metadata.annotations']);
    expect(unversioned(body.partyDetails)).toEqual(
      described(id, { k1: 'v1a', k2: 'v2', k4: 'v4' }),
    );
  });

  reproduce('PMFailAttemptingToUpdateIsLocal', 'INVALID_PARTY_DETAILS_UPDATE_REQUEST', async () => {
    const details = await allocated();
    const request = patch(details.party, { ...details, isLocal: false }, ['is_local']);
    await expectRefused(request, 'INVALID_PARTY_DETAILS_UPDATE_REQUEST');
  });

  reproduce(
    'PMAllowSpecifyingIsLocalAndDisplayNameIfMatchingTheRealValues',
    'accepts the current value of isLocal',
    async () => {
      const details = await allocated();
      const { status, body } = await patch(details.party, details, ['is_local']);
      expect(status).toBe(200);
      expect(unversioned(body.partyDetails)).toEqual(described(details.party));
    },
  );

  reproduce(
    'UpdatePartyDetailsEvenIfMetadataIsNotSetInUpdateRequest',
    'accepts an update without metadata, and changes nothing',
    async () => {
      const { party: id } = await allocated();
      const { status, body } = await patch(id, { party: id, isLocal: false }, ['party']);
      expect(status).toBe(200);
      expect(unversioned(body.partyDetails)).toEqual(described(id));
    },
  );

  overJson(
    'FailingUpdateRequestsWhenPartyDetailsFieldIsUnset',
    'rejects a body without a party',
    async () => {
      const { party: id } = await allocated();
      // JSON compares the party of the path with that of the body, before a participant would miss it.
      await expectRefused(patch(id, undefined, ['local_metadata']), 'INVALID_ARGUMENT', {
        cause: `${id} does not match party in body None`,
      });
    },
  );

  reproduce('FailUpdateNonExistentParty', 'PARTY_NOT_FOUND', async () => {
    const { party: other } = await allocated();
    const id = other.replace('alice', 'nobody');
    const localMetadata = { resourceVersion: '', annotations: { k1: 'v1' } };
    const details = { party: id, isLocal: false, localMetadata, identityProviderId: '' };
    await expectRefused(patch(id, details, ['local_metadata.annotations']), 'PARTY_NOT_FOUND');
  });
});
