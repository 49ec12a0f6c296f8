/**
 * How everything is written: numbers, times, enums, variants, bytes (B-GEN-027 to B-GEN-038), and what ids look like (B-ID-*).
 * Looked at in many answers at once, member by member.
 */
import {
  byInterface,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  updateFormat,
  wildcard,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';

const api = useLedgerApi({
  synchronizers: [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }],
  // Here they come at once, as elements of what is waited for.
  checkpoints: { first: 3, interval: 1 },
});
const [alice, bob] = useParties(api, 'alice', 'bob');

/** Fields that hold Daml values, which have another encoding. */
const VALUES = ['createArgument', 'choiceArgument', 'exerciseResult', 'contractKey', 'viewValue'];

type Member = readonly [name: string, value: JsonAnswer];

function membersOf(json: unknown): Member[] {
  if (Array.isArray(json)) return json.flatMap(membersOf);
  if (json === null || typeof json !== 'object') return [];
  return Object.entries(json).flatMap(([name, value]): Member[] => [
    [name, value],
    ...(VALUES.includes(name) ? [] : membersOf(value)),
  ]);
}

let answers: unknown[];
let members: Member[];
let coin: string;
let reassignmentId: string;

const get = async (path: string) => (await api.client.ledger('GET', path)).body;
const everything = () =>
  eventFormat([alice], wildcard(true), byInterface(model('Asset'), { view: true }));
const both = (shape: 'ACS_DELTA' | 'LEDGER_EFFECTS') => ({
  ...updateFormat(shape, everything()),
  includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [] } },
});

beforeEach(async () => {
  const [global, app] = api.canticle.network.synchronizers.map(({ id }) => id) as [string, string];
  coin = await api.create(
    model('Coin'),
    { owner: alice, label: 'gold' },
    { actAs: alice, synchronizerId: global },
  );
  const dummy = await api.create(
    model('Dummy'),
    { operator: alice },
    { actAs: alice, synchronizerId: global },
  );
  const start = api.canticle.participant.engine.log.end - 2;
  const submitted = await api.submit(
    [exercise(model('Asset'), coin, 'Touch'), exercise(model('Dummy'), dummy, 'Clone')],
    { actAs: alice, synchronizerId: global },
  );
  await api.submit(create(model('Dummy'), { operator: bob }), { actAs: bob });
  const move = (command: object) =>
    api.ok('/v2/commands/submit-and-wait-for-reassignment', {
      eventFormat: everything(),
      reassignmentCommands: {
        submitter: alice,
        userId: 'tester',
        commandId: Object.keys(command)[0],
        commands: [{ command }],
      },
    });
  const left = await move({
    UnassignCommand: { value: { contractId: coin, source: global, target: app } },
  });
  ({ reassignmentId } = left.reassignment.events[0].JsUnassignedEvent.value);
  const between = await api.acs(everything());
  const arrived = await move({
    AssignCommand: { value: { reassignmentId, source: global, target: app } },
  });
  const range = { beginExclusive: start, endInclusive: await api.ledgerEnd() };
  answers = [
    submitted,
    left,
    arrived,
    between,
    await api.acs(everything()),
    await api.ok('/v2/updates', { ...range, updateFormat: both('ACS_DELTA') }),
    await api.ok('/v2/updates', { ...range, updateFormat: both('LEDGER_EFFECTS') }),
    await api.ok('/v2/updates?limit=1', {
      beginExclusive: range.endInclusive,
      updateFormat: both('ACS_DELTA'),
    }),
    await api.ok('/v2/updates/get-updates-page', {
      updateFormat: both('ACS_DELTA'),
      maxPageSize: 1,
    }),
    await api.ok('/v2/state/active-contracts-page', { eventFormat: everything(), maxPageSize: 1 }),
    await api.ok('/v2/commands/completions?stream_idle_timeout_ms=20', {
      parties: [alice],
      userId: 'tester',
    }),
    await get('/v2/state/connected-synchronizers'),
    await get('/v2/state/connected-synchronizers?party=' + encodeURIComponent(alice)),
    await get('/v2/state/latest-pruned-offsets'),
    await get('/v2/parties'),
    await get('/v2/users'),
    await get('/v2/users/participant_admin/rights'),
    await get('/v2/version'),
    await api.ok('/v2/package-vetting/list', {}),
  ];
  members = membersOf(answers);
});

/** Those values that there are, of these members. None is a mistake of the test. */
function valuesOf(...names: readonly string[]): JsonAnswer[] {
  for (const name of names)
    if (!members.some(([each, value]) => each === name && value !== null))
      throw new Error(`No answer has ${name}.`);
  return members
    .filter(([name, value]) => names.includes(name) && value !== null)
    .map(([, value]) => value);
}

function expectAll(values: readonly JsonAnswer[], holds: (value: JsonAnswer) => boolean): void {
  expect(values.filter((value) => !holds(value))).toEqual([]);
}
const matches = (pattern: RegExp) => (value: JsonAnswer) =>
  typeof value === 'string' && pattern.test(value);

const HASH = '1220[0-9a-f]{64}';

it('offsets, counters, node ids and sizes are numbers, Int64 is a text (B-GEN-030, B-ID-026)', () => {
  const numbers = valuesOf(
    ...['offset', 'nodeId', 'lastDescendantNodeId', 'reassignmentCounter', 'completionOffset'],
    ...[
      'activeAtOffset',
      'lowestPageOffsetExclusive',
      'highestPageOffsetInclusive',
      'paidTrafficCost',
    ],
    ...['participantPrunedUpToInclusive', 'maxRightsPerUser', 'topologySerial', 'seconds', 'nanos'],
  );
  expectAll(numbers, (value) => Number.isSafeInteger(value) && value >= 0);
});

it('node ids are unique in their transaction (B-ID-026, B-EVT-002)', () => {
  const transactions = valuesOf('Transaction');
  for (const { value } of transactions) {
    const ids = value.events.map((event: object) => (Object.values(event)[0] as JsonAnswer).nodeId);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => Number(a) - Number(b)));
  }
});

it('times are ISO 8601 in UTC (B-GEN-031)', () => {
  const times = valuesOf('recordTime', 'effectiveAt', 'createdAt', 'assignmentExclusivity');
  expectAll(times, matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/));
});

it('identifiers are a text of three parts (B-GEN-028), with the package id in answers', () => {
  expectAll(valuesOf('templateId', 'interfaceId'), matches(/^[0-9a-f]{64}:[\w.]+:\w+$/));
  expectAll(valuesOf('implementedInterfaces').flat(), matches(/^[0-9a-f]{64}:[\w.]+:\w+$/));
});

it('enums are their protobuf names (B-GEN-029)', async () => {
  expectAll(
    valuesOf('permission', 'participantPermission'),
    matches(/^PARTICIPANT_PERMISSION_[A-Z]+$/),
  );
  const format = { ...transactionFormat('ACS_DELTA', everything()), transactionShape: 1 };
  const body = {
    beginExclusive: 0,
    endInclusive: 1,
    updateFormat: { includeTransactions: format },
  };
  expect(await api.refusal('/v2/updates', body)).toBe('plain text');
});

it('bytes are base64 with padding (B-GEN-027), also tokens of streams and pages (B-ID-027)', () => {
  const bytes = valuesOf('createdEventBlob', 'streamContinuationToken', 'nextPageToken').filter(
    (value) => value !== '',
  );
  expect(bytes.length).toBeGreaterThan(3);
  expectAll(bytes, (value) => Buffer.from(value, 'base64').toString('base64') === value);
});

it('events are variants with their fields directly inside (B-GEN-036), by shape (B-EVT-001)', async () => {
  const [deltas, effects] = [answers[5], answers[6]].map((list) => [
    ...new Set(
      (list as JsonAnswer[])
        .flatMap(({ update }) => update.Transaction?.value.events ?? [])
        .flatMap(Object.keys),
    ),
  ]);
  expect(deltas!.sort()).toEqual(['ArchivedEvent', 'CreatedEvent']);
  expect(effects!.sort()).toEqual(['CreatedEvent', 'ExercisedEvent']);
  expectAll(valuesOf('CreatedEvent', 'ArchivedEvent', 'ExercisedEvent'), ({ contractId }) =>
    matches(/^00/)(contractId),
  );
});

it('most other variants have their fields in `value` (B-GEN-037, B-CMP-010)', () => {
  const wrapped = valuesOf(
    ...['Transaction', 'Reassignment', 'TopologyTransaction', 'OffsetCheckpoint', 'Completion'],
    ...['JsUnassignedEvent', 'ParticipantAuthorizationAdded', 'ParticipantAdmin'],
  );
  expectAll(wrapped, (each) => JSON.stringify(Object.keys(each)) === '["value"]');
  const completions = answers[10] as JsonAnswer[];
  expect([
    ...new Set(completions.flatMap(({ completionResponse }) => Object.keys(completionResponse))),
  ]).toEqual(['Completion', 'OffsetCheckpoint']);
});

it('a variant is an object with one member (B-GEN-035), or `Empty` if it is unset (B-GEN-038)', async () => {
  for (const name of ['update', 'completionResponse', 'contractEntry', 'event', 'kind'])
    expectAll(valuesOf(name), (each) => Object.keys(each).length === 1);
  const unset = { actAs: alice, deduplicationPeriod: { Empty: {} } };
  await api.submit(create(model('Dummy'), { operator: alice }), unset);
  const command = { value: { templateId: model('Dummy'), createArguments: { operator: alice } } };
  expect(await api.submitRefusal({ CreateCommand: command }, { actAs: alice })).toBe('plain text');
});

it('durations are seconds and nanoseconds (B-VER-004), and masks use snake_case (B-GEN-033)', async () => {
  const patch = (path: string) =>
    api.client.ledger('PATCH', `/v2/parties/${encodeURIComponent(alice)}`, {
      partyDetails: { party: alice, localMetadata: { annotations: { a: 'b' } } },
      updateMask: { paths: [path], unknownFields: { fields: {} } },
    });
  expect((await patch('localMetadata.annotations')).body.code).toBe(
    'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
  );
  expect((await patch('local_metadata.annotations')).status).toBe(200);
  expect(valuesOf('maxOffsetCheckpointEmissionDelay')).toEqual([
    { seconds: 75, nanos: 0, unknownFields: { fields: {} } },
  ]);
});

it('labels are always present, types never, and views are records (B-VAL-026 to B-VAL-028)', async () => {
  const format = eventFormat([alice], byInterface(model('Asset'), { view: true }));
  const [verbose] = await api.active(format);
  expect(await api.active({ ...format, verbose: false })).toEqual([verbose]);
  expect(verbose.createArgument).toEqual({ owner: alice, label: 'gold' });
  expect(verbose.interfaceViews[0].viewValue).toEqual({ owner: alice, label: 'gold' });
});

describe('ids', () => {
  it('of parties, participants and synchronizers have a name and a namespace (B-ID-011 to B-ID-013, B-STA-007)', async () => {
    const { participantId } = await get('/v2/parties/participant-id');
    expect(participantId).toMatch(new RegExp(`^sandbox::${HASH}$`));
    const namespace = participantId.split('::')[1];
    expect(alice).toBe(`alice::${namespace}`);
    expectAll(valuesOf('party', 'synchronizerId'), matches(new RegExp(`^[\\w-]+::${HASH}$`)));
    const ids = (await get('/v2/parties')).partyDetails.map(({ party }: JsonAnswer) => party);
    expect(ids).toEqual(expect.arrayContaining([alice, bob, participantId]));
  });

  it('of synchronizers have plain aliases (B-ID-015)', () => {
    expect([...new Set(valuesOf('synchronizerAlias'))]).toEqual(['global', 'app']);
  });

  it('of contracts, updates and reassignments are hashes with a prefix (B-ID-016, B-ID-020, B-ID-021)', () => {
    expectAll(valuesOf('contractId'), matches(new RegExp(`^00[0-9a-f]{64}ca12${HASH}$`)));
    expectAll(valuesOf('updateId'), matches(new RegExp(`^${HASH}$`)));
    expectAll(valuesOf('reassignmentId'), (value) => value === reassignmentId);
    expect(reassignmentId).toMatch(new RegExp(`^00${HASH}$`));
  });

  it('offsets increase with each entry, of which a party sees some (B-ID-024, B-ID-025)', () => {
    const offsets = (answers[5] as JsonAnswer[]).map(
      ({ update }) => (Object.values(update)[0] as JsonAnswer).value.offset as number,
    );
    expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
    expect(offsets.at(-1)! - offsets[0]! + 1).toBe(offsets.length + 1); // Bob's is not among them.
  });
});

it('each success has status 200, and needs no authorization (B-GEN-001, B-AUTH-016)', async () => {
  const user = { id: 'carol', primaryParty: '', isDeactivated: false, identityProviderId: '' };
  const made = await api.client.ledger('POST', '/v2/users', { user, rights: [] });
  const gone = await api.client.ledger('DELETE', '/v2/users/carol');
  const sent = await api.post(
    '/v2/commands/async/submit',
    api.commands(create(model('Dummy'), { operator: alice }), { actAs: alice }),
  );
  expect([made.status, gone.status, sent.status]).toEqual([200, 200, 200]);
  expect([gone.body, sent.body]).toEqual([{}, {}]);
});

it('an optional field of the document may be required (B-GEN-020), or not (B-VAL-029)', async () => {
  const execution = {
    preparedTransaction: '',
    partySignatures: { signatures: [] },
    submissionId: 'x',
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
  };
  const path = '/v2/interactive-submission/execute';
  expect(await api.refusal(path, execution)).toBe('plain text');
  expect(await api.refusal(path, { ...execution, deduplicationPeriod: { Empty: {} } })).not.toBe(
    'plain text',
  );
  const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  await api.submit(exercise(model('Dummy'), contractId, 'Archive', null), { actAs: alice });
});
