/** Requests of a participant's admin API: it reads the whole request before any lookup, and has its own forms of refusals. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';

const PARTICIPANT = 'com.digitalasset.canton.admin.participant.v30.';
const TOPOLOGY = 'com.digitalasset.canton.topology.admin.v30.';
const TIME = 'com.digitalasset.canton.time.admin.v30.SynchronizerTimeService/';
const PRUNING = `${PARTICIPANT}PruningService/`;
const PACKAGES = `${PARTICIPANT}PackageService/`;
const READ = `${TOPOLOGY}TopologyManagerReadService/`;
const WRITE = `${TOPOLOGY}TopologyManagerWriteService/`;
const AGGREGATION = `${TOPOLOGY}TopologyAggregationService/`;
const CONNECTIVITY = `${PARTICIPANT}SynchronizerConnectivityService/`;

let canticle: Canticle;
let admin: GrpcClient;
let synchronizer: string;
let alice: string;
beforeAll(async () => {
  canticle = await startCanticle({ grpc: { adminApiPort: 0 } });
  admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
  synchronizer = canticle.network.synchronizers[0]!.id;
  alice = canticle.participant.allocateParty('alice');
});
afterAll(async () => {
  admin.close();
  await canticle.close();
});

/** Removes undefined members. */
const without = (request: object): object => JSON.parse(JSON.stringify(request));
const faultOf = (path: string, request: object = {}): Promise<GrpcFault> =>
  admin.call(path, without(request)).then(
    (answer) => Promise.reject(new Error(`It was not refused: ${JSON.stringify(answer)}`)),
    (fault: GrpcFault) => fault,
  );
/** Why a request could not be read. */
async function unreadable(path: string, request: object = {}): Promise<string> {
  const { details } = await faultOf(path, request);
  const { reason, metadata } = details['ErrorInfo'];
  expect(reason).toBe('PROTO_DESERIALIZATION_FAILURE');
  return metadata.reason;
}
const seconds = (text: string) => `${text}s`;
const OTHER = `da::1220${'ab'.repeat(32)}`;
const SHORT = 'da::1220abababab...';

describe('rejects invalid pruning schedules before any lookup (B-GRPC-007)', () => {
  const cron = '0 0 8 * * ?';
  const schedule = (more: object) => ({
    schedule: { cron, maxDuration: seconds('60'), retention: seconds('60'), ...more },
  });
  const duration = (found: string) =>
    `Duration should be positive and rounded to the second, found: ${found}`;
  const badCron = (text: string, why: string) =>
    `ValueConversionError(cron,Invalid cron expression "${text}": ${why})`;

  it.each<[string, object, string]>([
    ['SetCron', { cron: '' }, badCron('', 'Unexpected end of expression.')],
    ['SetCron', { cron: '!' }, badCron('!', 'Unexpected character: !')],
    [
      'SetCron',
      { cron: '0 none * * * ?' },
      badCron('0 none * * * ?', "Illegal characters for this position: 'NON'"),
    ],
    [
      'SetCron',
      { cron: '0'.repeat(301) },
      badCron(
        '0'.repeat(301),
        `requirement failed: The given string has a maximum length of 300 but a string of length 301 ('${'0'.repeat(301)}') was given`,
      ),
    ],
    ['SetSchedule', {}, 'FieldNotSet(schedule)'],
    ['SetSchedule', { schedule: {} }, badCron('', 'Unexpected end of expression.')],
    ['SetSchedule', { schedule: { cron } }, 'FieldNotSet(maxDuration)'],
    [
      'SetSchedule',
      schedule({ maxDuration: seconds('0') }),
      `ValueConversionError(maxDuration,${duration('PT0S')})`,
    ],
    [
      'SetSchedule',
      schedule({ maxDuration: seconds('3723.5') }),
      `ValueConversionError(maxDuration,${duration('PT1H2M3.5S')})`,
    ],
    [
      'SetSchedule',
      schedule({ retention: seconds('-61') }),
      `ValueConversionError(retention,${duration('PT-1M-1S')})`,
    ],
    ['SetParticipantSchedule', {}, 'FieldNotSet(participant_schedule)'],
    ['SetMaxDuration', {}, 'FieldNotSet(max_duration)'],
  ])('%s of %j', async (method, request, reason) => {
    expect(await unreadable(`${PRUNING}${method}`, request)).toBe(reason);
  });

  it('rejects a change of an unset schedule with only a status (B-GRPC-008)', async () => {
    expect(await faultOf(`${PRUNING}SetCron`, { cron })).toMatchObject({
      code: 3,
      message:
        'Attempt to update cron of a schedule that has not been previously configured. Use set_schedule instead.',
      details: {},
    });
  });
});

describe('rejects invalid pruning requests', () => {
  const state = 'counterParticipantsCommitmentsState';
  const offset = (found: number) => `Expecting positive value for offset, found ${found}.`;

  it.each<[object, string]>([
    [{}, `The prune_up_to field (0) is invalid: ${offset(0)}`],
    [{ pruneUpTo: '-1' }, `The prune_up_to field (-1) is invalid: ${offset(-1)}`],
    [
      { pruneUpTo: '999', [state]: 9 },
      `The counter_participants_commitments_state field (Some(UNRECOGNIZED)) is invalid: UnrecognizedEnum(safe_to_prune_commitment_state,9,List())`,
    ],
    [
      { pruneUpTo: '999', [state]: 0 },
      `The counter_participants_commitments_state field (Some(SAFE_TO_PRUNE_COMMITMENT_STATE_UNSPECIFIED)) is invalid: UnrecognizedEnum(safe_to_prune_commitment_state,0,List())`,
    ],
  ])('Prune %j', async (request, cause) => {
    const { message, details } = await faultOf(`${PRUNING}Prune`, request);
    expect(details['ErrorInfo'].reason).toBe('INVALID_ARGUMENT');
    expect(message).toContain(cause);
  });

  it('an offset after the ledger end, with a redacted error', async () => {
    const fault = await faultOf(`${PRUNING}Prune`, { pruneUpTo: '999' });
    expect(fault).toMatchObject({
      code: 13,
      message: expect.stringContaining('An error occurred'),
    });
  });

  it.each<[object, string]>([
    [{}, 'FieldNotSet(before_or_at)'],
    [{ beforeOrAt: '2000-01-01T00:00:00Z' }, `ValueConversionError(ledger_end,${offset(0)})`],
    [
      { beforeOrAt: '2000-01-01T00:00:00Z', ledgerEnd: '1', [state]: 0 },
      'UnrecognizedEnum(safe_to_prune_commitment_state,0,List())',
    ],
  ])('GetSafePruningOffset %j', async (request, reason) => {
    const fault = await faultOf(`${PRUNING}GetSafePruningOffset`, request);
    expect(fault).toMatchObject({
      code: 3,
      message: `Invalid GetSafePruningOffsetRequest: ${reason}`,
      details: {},
    });
  });
});

describe('packages and DARs', () => {
  const bad = 'non expected character 0x21 in Daml-LF Package ID "!"';

  it.each<[string, object, string]>([
    ['GetPackageContents', { packageId: '!' }, `StringConversionError(${bad},Some(packageId))`],
    ['GetPackageReferences', { packageId: '!' }, `StringConversionError(${bad},Some(packageId))`],
    ['GetDar', { mainPackageId: '!' }, `StringConversionError(${bad},None)`],
    ['GetDarContents', {}, 'StringConversionError(Daml-LF Package ID is empty,None)'],
    [
      'ValidateDar',
      { synchronizerId: '' },
      'ValueConversionError(synchronizer_id,Empty string is not a valid unique identifier.)',
    ],
    [
      'UploadDar',
      { dars: [{ expectedMainPackageId: '!' }] },
      `StringConversionError(${bad},Some(packageId))`,
    ],
  ])('%s parses %j first', async (method, request, reason) => {
    expect(await unreadable(`${PACKAGES}${method}`, request)).toBe(reason);
  });

  it.each(['RemoveDar', 'VetDar', 'UnvetDar'])(
    '%s reports a bad id with only a status',
    async (method) => {
      expect(await faultOf(`${PACKAGES}${method}`, { mainPackageId: '!' })).toMatchObject({
        code: 3,
        message: `Invalid DAR main package-id: ! [${bad}]`,
        details: {},
      });
    },
  );

  it('RemovePackage reports a bad id with only a status', async () => {
    expect(await faultOf(`${PACKAGES}RemovePackage`, { packageId: '!' })).toMatchObject({
      code: 3,
      message: 'Invalid package ID: !',
    });
  });

  it('the error names a missing DAR', async () => {
    const mainPackageId = 'ab'.repeat(32);
    const { details } = await faultOf(`${PACKAGES}GetDar`, { mainPackageId });
    expect(details['ErrorInfo']).toMatchObject({
      reason: 'DAR_NOT_FOUND',
      metadata: { operation: 'getDar', mainPackageId },
    });
  });

  it('have descriptions of at most 255 characters, which are the file name in errors', async () => {
    const upload = (description: string) =>
      faultOf(`${PACKAGES}UploadDar`, { dars: [{ bytes: 'AAAA', description }] });
    expect((await upload('x'.repeat(256))).details['ErrorInfo']).toMatchObject({
      reason: 'INVALID_DAR_FILE_NAME',
      metadata: {
        reason: `The given string has a maximum length of 255 but a string of length 256 ('${'x'.repeat(256)}.') was given`,
      },
    });
    expect((await upload('mine')).details['ErrorInfo'].metadata.throwable).toContain('DAR: mine,');
  });

  it('the list is empty for a negative limit', async () => {
    expect(await admin.call(`${PACKAGES}ListPackages`, { limit: -1 })).toEqual({
      packageDescriptions: [],
    });
  });
});

describe('the time at a synchronizer', () => {
  const freshnessBound = seconds('1');
  const timestamp = '2000-01-01T00:00:00Z';

  it.each<[string, object, string]>([
    ['FetchTime', {}, 'FieldNotSet(freshnessBound)'],
    ['FetchTime', { synchronizer: {}, freshnessBound }, 'FieldNotSet(kind)'],
    [
      'FetchTime',
      { synchronizer: { id: OTHER }, freshnessBound: seconds('-1') },
      'ValueConversionError(freshnessBound,Duration should be non-negative, found: PT-1S)',
    ],
    [
      'FetchTime',
      { freshnessBound },
      'Synchronizer must be specified to lookup a time on a participant',
    ],
    [
      'FetchTime',
      { synchronizer: { id: '!' }, freshnessBound },
      'ValueConversionError(id,Invalid unique identifier `!` with missing namespace.)',
    ],
    [
      'FetchTime',
      { synchronizer: { physicalId: 'da::x' }, freshnessBound },
      'ValueConversionError(physical_id,Unable to parse `da::x` as physical synchronizer id)',
    ],
    [
      'FetchTime',
      { synchronizer: { id: OTHER }, freshnessBound },
      `Not connected to any synchronizer with id ${SHORT}`,
    ],
    ['AwaitTime', { synchronizer: { id: OTHER } }, 'FieldNotSet(timestamp)'],
    [
      'AwaitTime',
      { synchronizer: { id: OTHER }, timestamp },
      `Not connected to any synchronizer with id ${SHORT}`,
    ],
  ])('%s %j is rejected with only a status', async (method, request, message) => {
    expect(await faultOf(`${TIME}${method}`, request)).toMatchObject({
      code: 3,
      message,
      details: {},
    });
  });

  it('is returned for a synchronizer id', async () => {
    const { physicalId } = canticle.network.synchronizers[0]!;
    for (const named of [{ id: synchronizer }, { physicalId }]) {
      const fetched = await admin.call(`${TIME}FetchTime`, { synchronizer: named, freshnessBound });
      expect(fetched.timestamp).toMatch(/^\d{4}-/);
      expect(await admin.call(`${TIME}AwaitTime`, { synchronizer: named, timestamp })).toEqual({});
    }
  });
});

it('a ping parses its target parties', async () => {
  const request = { targetParties: ['!'], timeout: seconds('1') };
  expect(await unreadable(`${PARTICIPANT}PingService/Ping`, request)).toBe(
    'ValueConversionError(target_parties,non expected character 0x21 in Daml-LF Party "!")',
  );
});

describe('synchronizers by alias', () => {
  it('have names of at most 255 characters', async () => {
    const synchronizerAlias = 'a'.repeat(256);
    expect(await unreadable(`${CONNECTIVITY}GetSynchronizerId`, { synchronizerAlias })).toBe(
      `The given SynchronizerAlias has a maximum length of 255 but a SynchronizerAlias of length 256 ('${synchronizerAlias}.') was given`,
    );
  });

  it('the error names an unknown alias', async () => {
    const request = { synchronizerAlias: 'nope' };
    for (const method of ['GetSynchronizerId', 'ReconnectSynchronizer', 'DisconnectSynchronizer'])
      expect(
        (await faultOf(`${CONNECTIVITY}${method}`, request)).details['ErrorInfo'],
      ).toMatchObject({ metadata: { synchronizerAlias: "Synchronizer 'nope'" } });
  });

  it('disconnecting an unknown alias fails with only a status (B-GRPC-025)', async () => {
    const leave = (synchronizerAlias: string, traceparent?: string) => {
      const metadata: Record<string, string> = traceparent === undefined ? {} : { traceparent };
      return admin
        .call(`${CONNECTIVITY}Logout`, { synchronizerAlias }, { metadata })
        .catch((fault: GrpcFault) => fault);
    };
    const cause = 'The synchronizer with alias nope is unknown.';
    expect(await leave('nope')).toMatchObject({
      code: 5,
      message: `SYNC_SERVICE_UNKNOWN_SYNCHRONIZER(11,0): ${cause}`,
      details: {},
    });
    const traced = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    expect(await leave('nope', traced)).toMatchObject({
      message: `SYNC_SERVICE_UNKNOWN_SYNCHRONIZER(11,abababab): ${cause}`,
      details: {},
    });
    expect(await leave('a'.repeat(256))).toMatchObject({
      code: 3,
      message: expect.stringMatching(/^Failed to parse synchronizer alias: The given Synchr/),
      details: {},
    });
  });

  it('the traffic state requires a valid synchronizer id', async () => {
    const path = `${PARTICIPANT}TrafficControlService/TrafficControlState`;
    expect(await unreadable(path)).toBe(
      'ValueConversionError(synchronizer_id,Empty string is not a valid unique identifier.)',
    );
    expect((await faultOf(path, { synchronizerId: OTHER })).details['ErrorInfo']).toMatchObject({
      reason: 'NOT_CONNECTED_TO_SYNCHRONIZER',
      metadata: { synchronizer: OTHER },
    });
  });
});

describe('requests that read topology', () => {
  const store = () => ({ synchronizer: { id: synchronizer } });
  const query = (more: object) => ({ baseQuery: { store: store(), headState: {}, ...more } });
  const farTime = '9999-12-31T23:59:59.999999999Z';

  it.each<[string, () => object, string]>([
    ['nothing', () => ({}), 'FieldNotSet(base_query)'],
    ['a missing time', () => ({ baseQuery: { store: store() } }), 'FieldNotSet(time_query)'],
    ['a missing store', () => query({ store: {} }), 'FieldNotSet(store)'],
    ['an empty synchronizer', () => query({ store: { synchronizer: {} } }), 'FieldNotSet(store)'],
    [
      'an invalid physical synchronizer id',
      () => query({ store: { synchronizer: { physicalId: 'da::x' } } }),
      'ValueConversionError(store,Unable to parse `da::x` as physical synchronizer id)',
    ],
    [
      'a temporary store whose name is too long',
      () => query({ store: { temporary: { name: 'n'.repeat(186) } } }),
      `InvariantViolation(Some(store),The given store has a maximum length of 185 but a store of length 186 ('${'n'.repeat(186)}.') was given)`,
    ],
    [
      'an unknown operation',
      () => query({ operation: 9 }),
      'UnrecognizedEnum(UNRECOGNIZED,9,List())',
    ],
    [
      'an unknown protocol version',
      () => query({ protocolVersion: 99 }),
      expect.stringContaining('OtherError(Protocol version 99 is not supported.'),
    ],
  ])('%s is rejected', async (_, request, reason) => {
    expect(await unreadable(`${READ}ListPartyToParticipant`, request())).toEqual(reason);
  });

  it.each<[string, object, string]>([
    ['ListParties', { synchronizerIds: ['!'] }, 'synchronizer_ids'],
    ['ListKeyOwners', { synchronizerIds: ['!'] }, 'synchronizer_ids'],
  ])('%s parses synchronizer ids', async (method, request, field) => {
    expect(await unreadable(`${AGGREGATION}${method}`, request)).toBe(
      `ValueConversionError(${field},Invalid unique identifier \`!\` with missing namespace.)`,
    );
  });

  it('ListKeyOwners parses the kind of a node', async () => {
    const request = { filterKeyOwnerType: 'XXX', synchronizerIds: ['!'] };
    expect(await unreadable(`${AGGREGATION}ListKeyOwners`, request)).toBe(
      'ValueConversionError(filterKeyOwnerType,Unknown three letter type XXX)',
    );
  });

  it.each([
    [
      { synchronizer: { id: OTHER } },
      `No active synchronizer found for ${SHORT}.`,
      'synchronizerId',
      SHORT,
    ],
    [
      { synchronizer: { physicalId: `${OTHER}::35-0` } },
      `Topology store '${SHORT}::35-0' is not known.`,
      'storeId',
      `${SHORT}::35-0`,
    ],
    [{ temporary: { name: 'nope' } }, "Topology store 'nope' is not known.", 'storeId', 'nope'],
  ])('the error names an unknown store: %j', async (unknown, cause, member, value) => {
    const { message, details } = await faultOf(
      `${READ}ListPartyToParticipant`,
      query({ store: unknown }),
    );
    expect(message).toContain(cause);
    expect(details['ErrorInfo']).toMatchObject({
      reason: 'TOPOLOGY_STORE_NOT_FOUND',
      metadata: { [member]: value },
    });
  });

  it('return the state at the time, filtered by the key in the query (B-GRPC-009)', async () => {
    const found = async (more: object) => {
      const request = without({ ...query(more), filterParty: alice });
      return (await admin.call(`${READ}ListPartyToParticipant`, request)).results ?? [];
    };
    const [{ context }] = await found({});
    expect(Buffer.from(context.transactionHash, 'base64').subarray(0, 2)).toEqual(
      Buffer.from([0x12, 0x20]),
    );
    expect(context.serial).toBe(1);
    const { sequenced } = context;
    const early = '2000-01-01T00:00:00Z';
    const at = { headState: undefined };
    expect(await found({ ...at, snapshot: farTime })).toHaveLength(1);
    expect(await found({ ...at, snapshot: early })).toEqual([]);
    expect(await found({ ...at, snapshot: sequenced })).toEqual([]);
    expect(await found({ ...at, range: {} })).toHaveLength(1);
    expect(await found({ ...at, range: { from: sequenced, until: sequenced } })).toHaveLength(1);
    expect(await found({ ...at, range: { until: early } })).toEqual([]);
    expect(await found({ ...at, range: { from: farTime } })).toEqual([]);
    const [, namespace] = alice.split('::') as [string, string];
    expect(await found({ filterSignedKey: namespace.slice(0, 9) })).toHaveLength(1);
    expect(await found({ filterSignedKey: 'ab'.repeat(34) })).toEqual([]);
  });

  it("list stores in order: synchronizers, temporary stores, and the participant's own", async () => {
    await admin.call(`${WRITE}CreateTemporaryTopologyStore`, {
      name: 'drafts',
      protocolVersion: 35,
    });
    const { storeIds } = await admin.call(`${READ}ListAvailableStores`);
    expect(storeIds.map((id: object) => Object.keys(id))).toEqual([
      ['synchronizer'],
      ['temporary'],
      ['authorized'],
    ]);
    await admin.call(`${WRITE}DropTemporaryTopologyStore`, { storeId: { name: 'drafts' } });
    const { results } = await admin.call(`${READ}ListNamespaceDelegation`, {
      baseQuery: { headState: {} },
      filterNamespace: canticle.network.participants[0]!.id.split('::')[1],
    });
    expect(results.map(({ context }: any) => Object.keys(context.store))).toEqual([
      ['synchronizer'],
      ['authorized'],
    ]);
  });

  it('report the two owners of a synchronizer as its founders at the first moment', async () => {
    const { sequencerId, mediatorId } = canticle.network.synchronizers[0]!;
    const owners = [sequencerId, mediatorId].map((id) => id.split('::')[1]);
    for (const kind of ['MediatorSynchronizerState', 'SequencerSynchronizerState']) {
      const { results } = await admin.call(`${READ}List${kind}`, query({}));
      expect(results).toMatchObject([
        {
          context: {
            sequenced: '0001-01-01T00:00:00.000001Z',
            signedByFingerprints: owners,
          },
        },
      ]);
    }
    const { results } = await admin.call(`${READ}ListDecentralizedNamespaceDefinition`, query({}));
    expect(results).toMatchObject([{ item: { threshold: 1, owners } }]);
  });

  it('return the parameters of a synchronizer', async () => {
    const { results } = await admin.call(`${READ}ListSynchronizerParametersState`, query({}));
    expect(results.map(({ item }: any) => item)).toEqual([
      {
        confirmationResponseTimeout: '30s',
        mediatorReactionTimeout: '30s',
        assignmentExclusivityTimeout: '60s',
        ledgerTimeRecordTimeTolerance: '60s',
        reconciliationInterval: '60s',
        mediatorDeduplicationTimeout: '172800s',
        maxRequestSize: 10_485_760,
        onboardingRestriction: 'ONBOARDING_RESTRICTION_UNRESTRICTED_OPEN',
        participantSynchronizerLimits: { confirmationRequestsMaxRate: 1_000_000 },
        sequencerAggregateSubmissionTimeout: '300s',
        acsCommitmentsCatchup: { catchupIntervalSkip: 5, nrIntervalsToTriggerCatchup: 2 },
        preparationTimeRecordTimeTolerance: '86400s',
      },
    ]);
  });

  it('return encryption keys, and the requested number of keys of a node', async () => {
    const request = { filterKeyOwnerUid: canticle.network.participants[0]!.id };
    const keys = async (limit: number) => {
      const { results } = await admin.call(`${AGGREGATION}ListKeyOwners`, { ...request, limit });
      const [{ signingKeys = [], encryptionKeys = [] }] = results;
      return [signingKeys.length, encryptionKeys.length];
    };
    expect([await keys(0), await keys(1), await keys(100)]).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    const { results } = await admin.call(`${READ}ListOwnerToKeyMapping`, {
      ...query({}),
      filterKeyOwnerType: 'PAR',
    });
    const [{ item, context }] = results;
    const { encryptionPublicKey } = item.publicKeys[2];
    expect(Buffer.from(encryptionPublicKey.publicKey, 'base64')).toHaveLength(91);
    expect(context.signedByFingerprints).toHaveLength(3);
  });
});

describe('requests that write topology', () => {
  const store = () => ({ synchronizer: { id: synchronizer } });
  const hosting = (more: object = {}) => ({
    partyToParticipant: {
      party: alice,
      threshold: 1,
      participants: [{ participantUid: canticle.network.participants[0]!.id, permission: 1 }],
      ...more,
    },
  });
  const authorize = (mapping: object, proposal: object = {}, more: object = {}) => ({
    proposal: { change: 1, mapping, ...proposal },
    mustFullyAuthorize: true,
    store: store(),
    ...more,
  });
  const party = 'non expected character 0x21 in Daml-LF Party "!"';

  it.each<[string, () => object, string]>([
    ['a missing change', () => authorize(hosting(), { change: 0 }), 'FieldNotSet(operation)'],
    [
      'an unknown change',
      () => authorize(hosting(), { change: 9 }),
      'UnrecognizedEnum(UNRECOGNIZED,9,List())',
    ],
    [
      'a missing mapping',
      () => authorize(hosting(), { mapping: undefined }),
      'FieldNotSet(AuthorizeRequest.mapping)',
    ],
    ['an empty store', () => authorize(hosting(), {}, { store: {} }), 'FieldNotSet(store)'],
    [
      'an invalid party',
      () => authorize(hosting({ party: '!' })),
      `ValueConversionError(party,${party})`,
    ],
    [
      'an invalid participant',
      () => authorize(hosting({ participants: [{ participantUid: '!', permission: 1 }] })),
      'ValueConversionError(participant_uid,Invalid unique identifier `!` with missing namespace.)',
    ],
    [
      'a node without its kind',
      () => authorize({ ownerToKeyMapping: { member: 'sandbox::x' } }),
      'ValueConversionError(member,Expected delimiter :: after three letter code of `sandbox::x`)',
    ],
    [
      'a node without keys',
      () => authorize({ ownerToKeyMapping: { member: 'PAR::sandbox::x' } }),
      'FieldNotSet(Sequence public_keys not set or empty)',
    ],
    [
      'missing parameters',
      () => authorize({ synchronizerParametersState: { synchronizerId: synchronizer } }),
      'FieldNotSet(synchronizer_parameters)',
    ],
    [
      'an invalid key',
      () => authorize(hosting(), {}, { signedBy: ['!'] }),
      `StringConversionError(${party},None)`,
    ],
    [
      'an unknown flag',
      () => authorize(hosting(), {}, { forceChanges: [99] }),
      'UnrecognizedField(Unrecognized force_change flag: UNRECOGNIZED)',
    ],
    [
      'an unspecified flag',
      () => authorize(hosting(), {}, { forceChanges: [0] }),
      'UnrecognizedField(Unrecognized force_change flag: FORCE_FLAG_UNSPECIFIED)',
    ],
    [
      'a negative wait',
      () => authorize(hosting(), {}, { waitToBecomeEffective: seconds('-1') }),
      'ValueConversionError(wait_to_become_effective,Duration -1 seconds is negative!)',
    ],
    [
      'an invalid hash',
      () => ({ transactionHash: '!', store: store() }),
      'OtherError(Failed to parse hex string: !)',
    ],
    [
      'an empty hash',
      () => ({ transactionHash: '', store: store() }),
      'OtherError(Failed to decode unsigned var-int: Input bytes already consumed)',
    ],
  ])('Authorize rejects %s', async (_, request, reason) => {
    expect(await unreadable(`${WRITE}Authorize`, request())).toBe(reason);
  });

  it.each<[string, object, string]>([
    ['a missing transaction', {}, 'FieldNotSet(TopologyTransaction: data)'],
    [
      'invalid bytes',
      { transaction: Buffer.from([0x0f]).toString('base64') },
      'BufferException(com.google.protobuf.InvalidProtocolBufferException$InvalidWireTypeException: Protocol message tag had invalid wire type.)',
    ],
  ])('AddTransactions and SignTransactions reject %s', async (_, transaction, reason) => {
    for (const method of ['AddTransactions', 'SignTransactions']) {
      const request = { transactions: [transaction], store: store() };
      expect(await unreadable(`${WRITE}${method}`, request)).toBe(reason);
    }
  });

  it('AddTransactions requires signatures with a known format and key', async () => {
    const { generatedTransactions } = await admin.call(`${WRITE}GenerateTransactions`, {
      proposals: [{ operation: 1, mapping: hosting({ threshold: 2 }), store: store() }],
    });
    const transaction = generatedTransactions[0].serializedTransaction;
    const reason = (...signatures: object[]) =>
      unreadable(`${WRITE}AddTransactions`, {
        transactions: [{ transaction, signatures }],
        store: store(),
      });
    expect(await reason()).toBe(
      'InvariantViolation(Some(signatures),At least one signature must be provided)',
    );
    expect(await reason({})).toBe('FieldNotSet(format)');
    expect(await reason({ format: 3, signedBy: '!' })).toBe(`StringConversionError(${party},None)`);
  });

  it('store the requested change', async () => {
    const change = async (operation: number) => {
      const { generatedTransactions } = await admin.call(`${WRITE}GenerateTransactions`, {
        proposals: [{ operation, mapping: hosting(), store: store() }],
      });
      const bytes = Buffer.from(generatedTransactions[0].serializedTransaction, 'base64');
      const versioned = new BinaryReader(bytes);
      versioned.tag();
      const reader = new BinaryReader(versioned.bytes());
      return [reader.tag()[0], reader.int32()];
    };
    expect([await change(1), await change(2)]).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it('reject an existing mapping, which the error names (B-GRPC-010)', async () => {
    const namespace = `${alice.split('::')[1]!.slice(0, 12)}...`;
    const [, name] = /^([^:]*)/.exec(canticle.network.participants[0]!.id)!;
    const { printedId } = canticle.network.synchronizers[0]!;
    for (const serial of [0, 1, 77])
      expect(
        (await faultOf(`${WRITE}Authorize`, authorize(hosting(), { serial }))).details['ErrorInfo'],
      ).toMatchObject({
        reason: 'TOPOLOGY_MAPPING_ALREADY_EXISTS',
        metadata: {
          existing: `PartyToParticipant(partyId = alice::${namespace}, participants = PAR::${name}::${namespace} -> Submission)`,
          keys: `Set(${namespace})`,
          psid: printedId,
        },
      });
  });

  it('increase the serial with each change', async () => {
    const bob = canticle.participant.allocateParty('bob');
    const permission = (value: number) =>
      hosting({
        party: bob,
        participants: [
          { participantUid: canticle.network.participants[0]!.id, permission: value },
          { participantUid: canticle.network.participants[0]!.id, permission: 3 },
        ],
      });
    const wrong = await faultOf(`${WRITE}Authorize`, authorize(permission(2), { serial: 3 }));
    expect(wrong.details['ErrorInfo']).toMatchObject({
      reason: 'TOPOLOGY_SERIAL_MISMATCH',
      metadata: { actual: 'Some(3)', expected: 'Some(2)' },
    });
    const permissions = async () => {
      const request = { baseQuery: { store: store(), headState: {} }, filterParty: bob };
      const { results } = await admin.call(`${READ}ListPartyToParticipant`, request);
      return results.map(({ context, item }: any) => [
        context.serial,
        ...item.participants.map((each: any) => each.permission),
      ]);
    };
    await admin.call(`${WRITE}Authorize`, authorize(permission(2), { serial: 2 }));
    expect(await permissions()).toEqual([[2, 'PARTICIPANT_PERMISSION_CONFIRMATION']]);
    await admin.call(`${WRITE}Authorize`, authorize(permission(1)));
    expect(await permissions()).toEqual([[3, 'PARTICIPANT_PERMISSION_SUBMISSION']]);
  });

  it.each<[string, () => object, string, object]>([
    [
      'a threshold above the number of hosts',
      () => authorize(hosting({ threshold: 2 })),
      'TOPOLOGY_CONFIRMING_THRESHOLD_CANNOT_BE_REACHED',
      { threshold: '2', numberOfHostingNodes: '1' },
    ],
    [
      'a key without signing rights',
      () => authorize(hosting(), {}, { signedBy: [`1220${'ab'.repeat(32)}`] }),
      'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE',
      { unusable: 'List(1220abababab...)' },
    ],
    [
      'another synchronizer',
      () => {
        const participantUid = canticle.network.participants[0]!.id;
        return authorize({
          synchronizerTrustCertificate: { participantUid, synchronizerId: OTHER },
        });
      },
      'TOPOLOGY_MISSING_MAPPING',
      { effectiveTime: expect.stringMatching(/^EffectiveTime\(/) },
    ],
    [
      'an unknown hash',
      () => ({ transactionHash: `1220${'ab'.repeat(32)}`, store: store() }),
      'TOPOLOGY_TRANSACTION_NOT_FOUND',
      { txHash: 'SHA-256:abababababab...', effective: expect.stringMatching(/^EffectiveTime\(/) },
    ],
  ])('reject %s', async (_, request, reason, metadata) => {
    const { details } = await faultOf(`${WRITE}Authorize`, request());
    expect(details['ErrorInfo']).toMatchObject({ reason, metadata });
  });

  it('a change of a foreign party is a security alert with a redacted error', async () => {
    const fault = await faultOf(`${WRITE}Authorize`, authorize(hosting({ party: OTHER })));
    expect(fault).toMatchObject({ code: 3, message: expect.stringContaining('An error occurred') });
    expect(fault.details['ErrorInfo']).toBeUndefined();
  });
});

describe('the requests of the Canton console at its start', () => {
  const INSPECTION = `${PARTICIPANT}ParticipantInspectionService/`;

  it('return the API of each port (B-GRPC-011)', async () => {
    const path = 'com.digitalasset.canton.connection.v30.ApiInfoService/GetApiInfo';
    const ledger = await GrpcClient.connect(canticle.urls.grpc!);
    expect([await ledger.call(path), await admin.call(path)]).toEqual([
      { name: 'ledger-api' },
      { name: 'admin-api' },
    ]);
    ledger.close();
  });

  it('return resource limits, and the offset at a time', async () => {
    expect(await admin.call(`${PARTICIPANT}ResourceManagementService/GetResourceLimits`)).toEqual({
      currentLimits: {
        maxInflightValidationRequests: 500,
        maxSubmissionRate: 200,
        maxSubmissionBurstFactor: 0.5,
      },
    });
    const offsetAt = (timestamp: string) =>
      admin.call(`${INSPECTION}LookupOffsetByTime`, { timestamp });
    expect(await offsetAt('2000-01-01T00:00:00Z')).toEqual({});
    const { log } = canticle.network.participants[0]!;
    expect(await offsetAt('9999-01-01T00:00:00Z')).toEqual({ offset: String(log.end) });
  });

  it('set resource limits, which do not exist by default (B-GRPC-030)', async () => {
    const limits = `${PARTICIPANT}ResourceManagementService/`;
    const resourceLimits = async () =>
      (await admin.call(`${limits}GetResourceLimits`)).currentLimits;
    const before = await resourceLimits();
    const set = (newLimits?: object) => admin.call(`${limits}SetResourceLimits`, { newLimits });
    await set({ maxSubmissionRate: 2 ** 31 - 1, maxSubmissionBurstFactor: 1.5 });
    expect(await resourceLimits()).toEqual({
      maxSubmissionRate: 2 ** 31 - 1,
      maxSubmissionBurstFactor: 1.5,
    });
    await set(before);
    expect(await resourceLimits()).toEqual(before);
    const because = (newLimits?: object) => unreadable(`${limits}SetResourceLimits`, { newLimits });
    expect(await because()).toBe('FieldNotSet(new_limits)');
    expect(await because({ maxSubmissionBurstFactor: -1 })).toBe(
      'InvariantViolation(Some(max_submission_burst_factor),Received the non-positive -1.0 as argument, but we require a positive value here.)',
    );
    expect(await because({ maxSubmissionBurstFactor: -0.5 })).toMatch(/non-positive -0\.5 as/);
    expect(await because({ maxSubmissionBurstFactor: 0 })).toMatch(/non-positive 0\.0 as/);
    expect(await because({ maxInflightValidationRequests: 2 ** 31 })).toBe(
      'InvariantViolation(Some(max_inflight_validation_requests),Received the negative -2147483648 as argument, but we require a non-negative value here.)',
    );
    expect(await because({ maxSubmissionRate: 2 ** 32 - 1 })).toMatch(
      /^InvariantViolation\(Some\(max_submission_rate\),Received the negative -1 as/,
    );
  });

  it('accept any log level, and reject SetPassive (B-GRPC-030)', async () => {
    const status = 'com.digitalasset.canton.admin.health.v30.StatusService/SetLogLevel';
    expect(await admin.call(status, { level: 'NOPE' })).toEqual({});
    const path = `${PARTICIPANT}ParticipantReplicationService/SetPassive`;
    expect(await faultOf(path)).toMatchObject({
      code: 9,
      message:
        'PARTICIPANT_REPLICATION_NOT_SUPPORTED_BY_STORAGE(9,0): Participant with storage MemoryStorage does not support set passive.',
    });
  });

  it('count waiting submissions, and return no commitments', async () => {
    const inspect = (method: string, request: object = {}) =>
      admin.call(`${INSPECTION}${method}`, request);
    expect(await inspect('CountInFlight', { synchronizerId: synchronizer })).toEqual({
      pendingSubmissions: 0,
      pendingTransactions: 0,
    });
    const timeRanges = [{ synchronizerId: synchronizer }];
    expect(await inspect('LookupSentAcsCommitments', { timeRanges })).toEqual({ sent: [] });
    expect(await inspect('LookupReceivedAcsCommitments', { timeRanges })).toEqual({ received: [] });
    expect(await inspect('GetConfigForSlowCounterParticipants')).toEqual({ configs: [] });
    expect(await inspect('GetIntervalsBehindForCounterParticipants')).toEqual({
      intervalsBehind: [],
    });
  });

  it('list the parameters of a synchronizer', async () => {
    const { results } = await admin.call(`${READ}ListSynchronizerParametersState`, {
      baseQuery: { store: { synchronizer: { id: synchronizer } }, headState: {} },
    });
    expect(results).toMatchObject([
      {
        item: {
          confirmationResponseTimeout: '30s',
          mediatorReactionTimeout: '30s',
          ledgerTimeRecordTimeTolerance: '60s',
          mediatorDeduplicationTimeout: '172800s',
          maxRequestSize: 10485760,
        },
      },
    ]);
  });

  it.each<[string, object, number, string]>([
    [
      `${TOPOLOGY}IdentityInitializationService/InitId`,
      {},
      9,
      'Node configuration does not allow for a manual node initialization via API',
    ],
    [
      `${PARTICIPANT}PartyManagementService/AddPartyAsync`,
      {},
      12,
      'Online party replication commands require the `alpha_online_party_replication_support` configuration',
    ],
    [
      `${PARTICIPANT}PartyManagementService/GetAddPartyStatus`,
      { addPartyRequestId: '!' },
      12,
      'Online party replication commands require the `alpha_online_party_replication_support` configuration',
    ],
    [
      'com.digitalasset.canton.crypto.admin.v30.VaultService/ExportKeyPair',
      {},
      9,
      'Remote export of private keys only allowed when preview is enabled',
    ],
    [`${INSPECTION}LookupOffsetByTime`, {}, 13, 'Timestamp not specified'],
    [
      `${INSPECTION}CountInFlight`,
      { synchronizerId: '!' },
      13,
      'Invalid unique identifier `!` with missing namespace.',
    ],
    [
      `${INSPECTION}CountInFlight`,
      { synchronizerId: OTHER },
      13,
      `Not able to find synchronizer alias for ${SHORT}`,
    ],
    [
      `${INSPECTION}LookupSentAcsCommitments`,
      { timeRanges: [{ synchronizerId: OTHER }] },
      13,
      `No synchronizer alias found for ${SHORT}`,
    ],
    [
      `${INSPECTION}LookupSentAcsCommitments`,
      { commitmentState: [9] },
      13,
      'Unrecognized value `9` in enum field `sent_commitment_state`',
    ],
    [
      `${INSPECTION}LookupReceivedAcsCommitments`,
      { commitmentState: [9], counterParticipantIds: ['!'] },
      13,
      'Unable to convert field `counter_participant_ids`: Invalid member `!`, expecting <three-letter-code>::id::fingerprint.',
    ],
    [
      `${INSPECTION}LookupReceivedAcsCommitments`,
      { commitmentState: [9], counterParticipantIds: [`SEQ::x::1220${'ab'.repeat(32)}`] },
      13,
      `Unable to convert field \`counter_participant_ids\`: Value \`SEQ::x::1220${'ab'.repeat(32)}\` is not of type ParticipantId`,
    ],
    [
      `${INSPECTION}LookupReceivedAcsCommitments`,
      { commitmentState: [9] },
      13,
      'Unrecognized value `9` in enum field `received_commitment_state`',
    ],
  ])('fail with only a status (B-GRPC-029): %s %j', async (path, request, code, message) => {
    expect(await faultOf(path, request)).toMatchObject({ code, message, details: {} });
  });
});

describe('requests that repair contracts fail (B-GRPC-031)', () => {
  const REPAIR = `${PARTICIPANT}ParticipantRepairService/`;
  const CONTRACT = `00${'ab'.repeat(33)}`;
  const STILL_CONNECTED =
    'There are still synchronizers connected. Please disconnect all synchronizers.';
  const known = () => canticle.network.synchronizers[0]!.alias;

  it.each<[string, () => object, string, string]>([
    [
      'PurgeContracts',
      () => ({ contractIds: ['x'] }),
      'INVALID_ARGUMENT_REPAIR',
      'cannot parse ContractId "x"',
    ],
    ['PurgeContracts', () => ({}), 'INVALID_ARGUMENT_REPAIR', 'Missing contract ids to purge'],
    [
      'PurgeContracts',
      () => ({ synchronizerAlias: 'nope', contractIds: [CONTRACT] }),
      'CONTRACT_PURGE_ERROR',
      STILL_CONNECTED,
    ],
    [
      'ChangeAssignation',
      () => ({ sourceSynchronizerAlias: known(), contracts: [{ id: 'x' }] }),
      'INVALID_ARGUMENT_REPAIR',
      "Unable to find synchronizer id for alias Synchronizer ''",
    ],
    [
      'ChangeAssignation',
      () => ({
        sourceSynchronizerAlias: known(),
        targetSynchronizerAlias: known(),
        contracts: [{ id: CONTRACT }],
      }),
      'CONTRACT_ASSIGNATION_CHANGE_ERROR',
      'Source must differ from target synchronizer!',
    ],
  ])('%s (%#)', async (method, request, code, cause) => {
    const { message, details } = await faultOf(`${REPAIR}${method}`, request());
    expect(details['ErrorInfo'].reason).toBe(code);
    expect(message.replace(/^\w+\(\d+,\w+\): /, '')).toBe(cause);
  });

  it('ClearPartyOnboardingFlag checks the party, the synchronizer and the offset in turn', async () => {
    const clear = `${PARTICIPANT}PartyManagementService/ClearPartyOnboardingFlag`;
    const because = async (request: object) => (await faultOf(clear, request)).message;
    expect(await because({})).toMatch(/`party_id`: Empty string is not a valid unique identifier/);
    const other = { partyId: alice, synchronizerId: OTHER };
    expect(await because(other)).toMatch(/: Synchronizer ID da::1220abababab\.\.\. is unknown$/);
    const own = { partyId: alice, synchronizerId: synchronizer };
    expect(await because(own)).toMatch(/`begin_offset_exclusive`: .* found 0\.$/);
  });
});

describe('participants whose commitments pruning ignores (B-GRPC-031)', () => {
  const SOMEBODY = `PAR::x::1220${'ab'.repeat(32)}`;
  const of = (...counterParticipantIds: string[]) => ({
    counterParticipantIds,
    synchronizerIds: [synchronizer],
  });
  const ignored = async (request: object = {}) =>
    (await admin.call(`${PRUNING}GetNoWaitCommitmentsFrom`, request)).ignoredParticipants;

  it('stay ignored until a reset', async () => {
    await admin.call(`${PRUNING}SetNoWaitCommitmentsFrom`, of(SOMEBODY));
    await admin.call(`${PRUNING}SetNoWaitCommitmentsFrom`, of(SOMEBODY));
    const expected = [
      {
        counterParticipantUid: SOMEBODY,
        synchronizers: { synchronizerIds: [synchronizer] },
      },
    ];
    expect(await ignored()).toEqual(expected);
    expect(await ignored({ synchronizerIds: [OTHER] })).toEqual([]);
    await admin.call(`${PRUNING}ResetNoWaitCommitmentsFrom`, of());
    expect(await ignored({ participantUids: [SOMEBODY] })).toEqual(expected);
    await admin.call(`${PRUNING}ResetNoWaitCommitmentsFrom`, of(SOMEBODY));
    expect(await ignored()).toEqual([]);
  });

  it('must be valid and unique, and so must the synchronizers', async () => {
    const set = `${PRUNING}SetNoWaitCommitmentsFrom`;
    expect(await unreadable(set, of('x::12200000'))).toBe(
      'ValueConversionError(counter_participant_id,Expected delimiter :: after three letter code of `x::12200000`)',
    );
    expect(await unreadable(set, { synchronizerIds: ['!'] })).toMatch(/^ValueConversionError\(sy/);
    const { details } = await faultOf(set, of(SOMEBODY, SOMEBODY));
    expect(details['ErrorInfo'].reason).toBe('ILLEGAL_ARGUMENT_PRUNING_ERROR');
  });
});

describe('signing keys of a participant', () => {
  const VAULT = 'com.digitalasset.canton.crypto.admin.v30.VaultService/';
  const names = async (filters: object = {}): Promise<string[]> => {
    const { privateKeysMetadata } = await admin.call(`${VAULT}ListMyKeys`, { filters });
    return privateKeysMetadata.map((each: any) => each.publicKeyWithName.name);
  };
  const PROTOCOL = 'SIGNING_KEY_USAGE_PROTOCOL';
  const PROOF = 'SIGNING_KEY_USAGE_PROOF_OF_OWNERSHIP';

  it('are found by fingerprint, name, purpose and usage', async () => {
    const own = ['namespace', 'sequencer-auth', 'signing', 'encryption'];
    expect(await names()).toEqual(own.map((each) => `sandbox-${each}`));
    const fingerprint = canticle.participant.id.split('::')[1]!;
    expect(await names({ fingerprint })).toEqual(['sandbox-namespace']);
    expect(await names({ name: 'sign' })).toEqual(['sandbox-signing']);
    expect(await names({ purpose: ['KEY_PURPOSE_ENCRYPTION'] })).toEqual(['sandbox-encryption']);
    // A proof of ownership does not limit the use of a key.
    expect(await names({ usage: [PROTOCOL, PROOF] })).toEqual([
      'sandbox-signing',
      'sandbox-encryption',
    ]);
    const { publicKeys } = await admin.call(`${VAULT}ListPublicKeys`, { filters: { fingerprint } });
    expect(publicKeys).toMatchObject([
      {
        name: 'sandbox-namespace',
        publicKey: { signingPublicKey: { usage: ['SIGNING_KEY_USAGE_NAMESPACE'] } },
      },
    ]);
  });

  it.each([
    [1, 44],
    [2, 91],
    [3, 120],
    [4, 88],
  ])('can be generated on curve %i, and are listed then', async (keySpec, length) => {
    const name = `made-${keySpec}`;
    const request = { keySpec, name, usage: [PROTOCOL] };
    const { publicKey } = await admin.call(`${VAULT}GenerateSigningKey`, request);
    expect(publicKey.usage).toEqual([PROTOCOL, PROOF]);
    expect(Buffer.from(publicKey.publicKey, 'base64')).toHaveLength(length);
    expect(await names({ name })).toEqual([name]);
  });

  it('differ from each other, and a namespace key needs no proof of ownership', async () => {
    const request = { name: 'two', usage: ['SIGNING_KEY_USAGE_NAMESPACE'] };
    const made = async () => (await admin.call(`${VAULT}GenerateSigningKey`, request)).publicKey;
    const [one, two] = [await made(), await made()];
    expect(one.publicKey).not.toBe(two.publicKey);
    expect(one.usage).toEqual(request.usage);
  });

  it.each<[string, object, string]>([
    ['ListMyKeys', { filters: { purpose: [0] } }, 'FieldNotSet(purpose)'],
    ['ListMyKeys', { filters: { usage: [9] } }, 'UnrecognizedEnum(usage,9,List())'],
    [
      'ListMyKeys',
      { filters: { purpose: [2], usage: [1] } },
      'Cannot specify a usage when listing encryption keys',
    ],
    ['GenerateSigningKey', { keySpec: 9, usage: [9] }, 'UnrecognizedEnum(key_spec,9,List())'],
    ['GenerateSigningKey', { keySpec: 1, name: 'n'.repeat(301) }, 'FieldNotSet(usage)'],
  ])('%s %j', async (method, request, reason) => {
    expect(await unreadable(`${VAULT}${method}`, request)).toBe(reason);
  });

  it('have names of at most 300 characters, and another usage than proof of ownership', async () => {
    const generate = `${VAULT}GenerateSigningKey`;
    const named = (length: number) => ({ name: 'n'.repeat(length), usage: [PROTOCOL] });
    await admin.call(generate, named(300));
    expect(await unreadable(generate, named(301))).toMatch(/^InvariantViolation\(Some\(KeyName\),/);
    expect((await faultOf(generate, { usage: [PROOF] })).details['ErrorInfo']).toMatchObject({
      reason: 'SIGNING_KEY_GENERATION_ERROR',
      metadata: { reason: 'InvalidKeyUsage(keyUsage = proof-of-ownership)' },
    });
    const bad = { filters: { fingerprint: '!' } };
    expect(await faultOf(`${VAULT}ListPublicKeys`, bad)).toMatchObject({ code: 2, details: {} });
  });
});
