/** Package vetting (B-VET-001 to B-VET-020): what is listed, what changes it, and what follows from it. */
import {
  create,
  eventFormat,
  startLedgerApi,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { encodePackage, type Fields } from '../../../support/daml/lf-encoder.js';
import { t } from '../../../support/daml/lf-types.js';
import { model, modelPackage } from '../../../support/daml/model-package.js';

const LIST = '/v2/package-vetting/list';
const UPDATE = '/v2/package-vetting/update';
const FORCE = ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES'];

let api: LedgerApi;
beforeEach(async () => {
  api = await startLedgerApi();
});
afterEach(() => api.client.close());

const assets = (version: string, fields: Fields = { owner: t.party }, name = 'assets') =>
  encodePackage({ name, version, modules: { Main: { templates: { Asset: { fields } } } } });
const upload = (main: Parameters<typeof buildDar>[0], query = '?vetAllPackages=false') =>
  api.ok(`/v2/dars${query}`, buildDar(main));

const vet = (packages: object[], bounds: object = {}) => ({
  changes: [{ operation: { Vet: { value: { packages, ...bounds } } } }],
});
const unvet = (packages: object[]) => ({
  changes: [{ operation: { Unvet: { value: { packages } } } }],
});
const named = (name: string) => ({ packageMetadataFilter: { packageNamePrefixes: [name] } });
const listed = async (request: object = {}) => (await api.ok(LIST, request)).vettedPackages;

const NO_TOKEN = 'ValueConversionError(page_token,Invalid page token for ListVettedPackagesRequest';

describe('the list', () => {
  it('has one element for each pair of participant and synchronizer (B-VET-001, B-VET-002, B-VET-004)', async () => {
    await api.client.close();
    api = await startLedgerApi({
      synchronizers: [{ alias: 'one' }, { alias: 'two' }],
      participants: [{ name: 'sandbox' }, { name: 'other', synchronizers: ['two'] }],
    });
    const [one, two] = api.canticle.network.synchronizers.map(({ id }) => id) as [string, string];
    const [sandbox, other] = api.canticle.network.participants.map(({ id }) => id) as [
      string,
      string,
    ];
    const found = await listed();
    const pairs = found.map(({ synchronizerId, participantId }: JsonAnswer) => [
      synchronizerId,
      participantId,
    ]);
    expect(pairs).toEqual(
      [[one, sandbox], ...[sandbox, other].sort().map((id) => [two, id])].sort(),
    );
    const element = found[0].packages.find(
      ({ packageId }: JsonAnswer) => packageId === modelPackage.id,
    );
    expect(element).toEqual({
      packageId: modelPackage.id,
      packageName: 'model-tests',
      packageVersion: modelPackage.version,
      validFromInclusive: null,
      validUntilExclusive: null,
    });
    expect(await listed({ topologyStateFilter: { participantIds: [other] } })).toHaveLength(1);
    expect(await listed({ topologyStateFilter: { synchronizerIds: [two] } })).toHaveLength(2);
    const unknown = { topologyStateFilter: { synchronizerIds: [`x::1220${'0'.repeat(64)}`] } };
    expect(await api.refusal(LIST, unknown)).toBe('TOPOLOGY_STORE_NOT_FOUND');
  });

  it('is the union of ids and name prefixes (B-VET-003)', async () => {
    const [first, second] = [
      assets('1.0.0', undefined, 'first'),
      assets('1.0.0', undefined, 'second'),
    ];
    await upload(first, '');
    await upload(second, '');
    const filter = { packageIds: [first.id], packageNamePrefixes: ['sec'] };
    const [{ packages }] = await listed({ packageMetadataFilter: filter });
    expect(packages.map(({ packageId }: JsonAnswer) => packageId)).toEqual([first.id, second.id]);
    expect(await listed(named('nothing'))).toEqual([]);
  });

  it('ends with an empty page, and the page size counts pairs (B-VET-005 to B-VET-007)', async () => {
    await api.client.close();
    api = await startLedgerApi({ synchronizers: ['a', 'b', 'c'].map((alias) => ({ alias })) });
    const seen: string[] = [];
    for (let pageToken = ''; ;) {
      const { vettedPackages, nextPageToken } = await api.ok(LIST, { pageSize: 2, pageToken });
      seen.push(...vettedPackages.map(({ synchronizerId }: JsonAnswer) => synchronizerId));
      if (nextPageToken === '') {
        expect(vettedPackages).toEqual([]);
        break;
      }
      pageToken = nextPageToken;
    }
    expect(seen).toEqual(api.canticle.network.synchronizers.map(({ id }) => id).sort());
  });

  it.each([
    [
      'a size above 100',
      { pageSize: 101 },
      "InvariantViolation(Some(page_size),Page size must not exceed the server's maximum of 100)",
    ],
    [
      'a negative size',
      { pageSize: -1 },
      'InvariantViolation(Some(page_size),Received the negative -1 as argument, but we require a non-negative value here.)',
    ],
    ['an invalid token', { pageToken: '!' }, `${NO_TOKEN}: Failed base64 decoding)`],
    [
      'a token of another list',
      { pageToken: 'CgVhbGljZQ==' },
      `${NO_TOKEN}: Couldn't extract token's synchronizer ID: Invalid unique identifier \`alice\` with missing namespace.)`,
    ],
    ['a token with invalid bytes', { pageToken: 'Cg' }, `${NO_TOKEN}: Failed proto decoding)`],
    [
      'an invalid package id',
      { packageMetadataFilter: { packageIds: ['#'] } },
      'ValueConversionError(package_ids,non expected character 0x23 in Daml-LF Package ID "#")',
    ],
    [
      'an invalid participant id',
      { topologyStateFilter: { participantIds: ['x'] } },
      'ValueConversionError(participant_ids,Invalid unique identifier `x` with missing namespace.)',
    ],
  ])('rejects %s (B-VET-006)', async (_what, request, reason) => {
    const { code, context } = (await api.post(LIST, request)).body;
    expect([code, context.reason]).toEqual(['PROTO_DESERIALIZATION_FAILURE', reason]);
  });

  it('is the same for the deprecated GET with a body (B-LEG-015)', async () => {
    const { body } = await api.client.ledger('GET', '/v2/package-vetting', named('model'));
    expect(body).toEqual(await api.ok(LIST, named('model')));
  });
});

describe('a change', () => {
  it.each([UPDATE, '/v2/package-vetting'])(
    'by POST %s increases the serial if it has an effect (B-VET-008, B-VET-012)',
    async (path) => {
      const main = assets('1.0.0');
      await upload(main);
      expect(await listed(named('assets'))).toEqual([]);
      const { pastVettedPackages: past, newVettedPackages: present } = await api.ok(
        path,
        vet([{ packageId: main.id }]),
      );
      expect(present.topologySerial).toBe(past.topologySerial + 1);
      expect(present.packages).toEqual([
        ...past.packages,
        expect.objectContaining({ packageId: main.id }),
      ]);
      const again = await api.ok(path, vet([{ packageId: main.id }]));
      expect([again.pastVettedPackages, again.newVettedPackages]).toEqual([present, present]);
      const { newVettedPackages: after } = await api.ok(path, unvet([{ packageName: 'assets' }]));
      expect(after).toEqual({ ...past, topologySerial: past.topologySerial + 2 });
    },
  );

  it('has its effects in the answer to a dry run (B-VET-014)', async () => {
    const main = assets('1.0.0');
    await upload(main);
    const before = await listed();
    const { newVettedPackages } = await api.ok(UPDATE, {
      ...vet([{ packageId: main.id }]),
      dryRun: true,
    });
    expect(newVettedPackages.topologySerial).toBe(before[0].topologySerial + 1);
    expect(newVettedPackages.packages.at(-1).packageId).toBe(main.id);
    expect(await listed()).toEqual(before);
  });

  it('may expect a serial (B-VET-013)', async () => {
    const main = assets('1.0.0');
    await upload(main);
    const [{ topologySerial: value }] = await listed();
    const request = (serial: object, more: object = {}) => ({
      ...vet([{ packageId: main.id }]),
      expectedTopologySerial: { serial },
      ...more,
    });
    for (const more of [{}, { dryRun: true }])
      for (const serial of [{ Prior: { value: value + 1 } }, { NoPrior: {} }])
        expect(await api.refusal(UPDATE, request(serial, more))).toBe('TOPOLOGY_SERIAL_MISMATCH');
    expect((await api.post(UPDATE, request({ Prior: { value: 0 } }))).body.context.reason).toBe(
      'InvariantViolation(Some(expected_topology_serial),Received the non-positive 0 as argument, but we require a positive value here.)',
    );
    expect(await api.refusal(UPDATE, request({ Prior: { value } }))).toBe('accepted');
  });

  it('names packages by id, by name and version, or by name (B-VET-009 to B-VET-011)', async () => {
    const [first, second] = [assets('1.0.0'), assets('2.0.0')];
    await upload(first);
    const dry = async (reference: object) =>
      api.refusal(UPDATE, { ...vet([reference]), dryRun: true });
    const all = { packageId: first.id, packageName: 'assets', packageVersion: '1.0.0' };
    const { packageId, packageName, packageVersion } = all;
    for (const reference of [{ packageId }, { packageName }, { packageName, packageVersion }, all])
      expect(await dry(reference)).toBe('accepted');
    for (const reference of [
      { packageId: 'aa' },
      { packageName: 'none' },
      { packageName, packageVersion: '9.0' },
      { ...all, packageVersion: '2.0.0' },
      { ...all, packageName: 'other' },
    ])
      expect(await dry(reference)).toBe('UNRESOLVED_VETTING_REFERENCE');
    for (const reference of [
      {},
      { packageVersion },
      { packageId, packageName },
      { packageId: '#' },
      { packageName, packageVersion: 'x' },
      { packageName, packageVersion: '1.02' },
      { packageName, packageVersion: `1.${2 ** 31}` },
    ])
      expect(await dry(reference)).toBe('PROTO_DESERIALIZATION_FAILURE');
    await upload(second);
    expect(await dry({ packageName })).toBe('AMBIGUOUS_VETTING_REFERENCE');
    const { body } = await api.client.ledger('POST', UPDATE, vet([{ packageName }]));
    expect(body.cause).toMatch(/multiple packages: Seq\([0-9a-f]{12}\.\.\., [0-9a-f]{12}\.\.\.\)$/);
    const [older, newer] = [first.id, second.id];
    // In the order in which they came.
    expect(body.context.matchingPackages).toBe(`Set(${older}, ${newer})`);
    expect(await api.refusal(UPDATE, unvet([{ packageName }, { packageName: 'none' }]))).toBe(
      'accepted',
    );
    expect(await api.refusal(UPDATE, { changes: [{}] })).toBe('PROTO_DESERIALIZATION_FAILURE');
  });

  it('is rejected if packages are invalid upgrades, unless forced (B-VET-016)', async () => {
    const [old, incompatible, twin] = [
      assets('1.0.0'),
      assets('2.0.0', { holder: t.party }),
      assets('1.0.0', { holder: t.party }),
    ];
    for (const each of [old, incompatible, twin]) await upload(each);
    const both = (other: { id: string }) => vet([{ packageId: old.id }, { packageId: other.id }]);
    for (const dryRun of [true, false]) {
      expect(await api.refusal(UPDATE, { ...both(incompatible), dryRun })).toBe(
        'NOT_VALID_UPGRADE_PACKAGE',
      );
      expect(await api.refusal(UPDATE, { ...both(twin), dryRun })).toBe('KNOWN_PACKAGE_VERSION');
    }
    for (const dryRun of [true, false]) {
      const forced = { ...both(incompatible), dryRun, updateVettedPackagesForceFlags: FORCE };
      expect(await api.refusal(UPDATE, forced)).toBe('accepted');
    }
  });

  it('does not require vetted dependencies (B-VET-017)', async () => {
    const lib = encodePackage({
      name: 'lib',
      modules: { Lib: { types: { Id: { record: { text: t.text } } } } },
    });
    const main = assets('1.0.0', { owner: t.party, id: t.con(`${lib.id}:Lib:Id`) });
    await api.ok('/v2/dars?vetAllPackages=false', buildDar(main, lib));
    const { newVettedPackages } = await api.ok(UPDATE, vet([{ packageId: main.id }]));
    const ids = newVettedPackages.packages.map(({ packageId }: JsonAnswer) => packageId);
    expect([ids.includes(main.id), ids.includes(lib.id)]).toEqual([true, false]);
  });
});

describe('an unvetted package', () => {
  const dummy = (party: string) => create(model('Dummy'), { operator: party });
  const reference = [{ packageId: modelPackage.id }];

  it('cannot be used, and its contracts remain (B-VET-018, B-PSL-004)', async () => {
    const [alice] = await api.parties('alice');
    const contractId = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    await api.ok(UPDATE, unvet(reference));
    expect(await api.submitRefusal(dummy(alice), { actAs: alice })).toBe(
      'JSON_API_PACKAGE_SELECTION_FAILED',
    );
    const byId = create(`${modelPackage.id}:Test:Dummy`, { operator: alice });
    expect(await api.submitRefusal(byId, { actAs: alice })).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
    expect(
      (await api.active(eventFormat([alice]))).map((event: JsonAnswer) => event.contractId),
    ).toEqual([contractId]);
    await api.ok(UPDATE, vet(reference));
    expect(await api.submitRefusal(dummy(alice), { actAs: alice })).toBe('accepted');
  });

  it('can be used only during its validity period (B-VET-015)', async () => {
    const [alice] = await api.parties('alice');
    const { canticle } = api;
    const at = (hour: number) => `2030-01-01T0${hour}:00:00Z`;
    const bounds = { newValidFromInclusive: at(1), newValidUntilExclusive: at(3) };
    await api.ok(UPDATE, vet(reference, bounds));
    const [{ packages }] = await listed(named('model'));
    expect(packages).toMatchObject([{ validFromInclusive: at(1), validUntilExclusive: at(3) }]);
    const outcomes: boolean[] = [];
    for (const hour of [0, 1, 2, 3]) {
      canticle.setTime(at(hour));
      outcomes.push((await api.submitRefusal(dummy(alice), { actAs: alice })) === 'accepted');
    }
    expect(outcomes).toEqual([false, true, true, false]);
    await api.ok(UPDATE, vet(reference));
    expect((await listed(named('model')))[0].packages).toMatchObject([
      { validFromInclusive: null, validUntilExclusive: null },
    ]);
    expect(await api.submitRefusal(dummy(alice), { actAs: alice })).toBe('accepted');
  });

  it('is not vetted for an empty period (B-VET-021)', async () => {
    const bounds = (from: string, until: string) => ({
      newValidFromInclusive: from,
      newValidUntilExclusive: until,
    });
    const [early, late] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    const emptyPeriod = (from: string, until: string) =>
      'packages with empty validity period: VettedPackage(packageId = ' +
      `${modelPackage.id.slice(0, 12)}..., validFromInclusive = ${from}, validUntilExclusive = ${until})`;
    for (const [from, until, shown = until] of [
      [early, early],
      [late, early],
      // Both are cut to microseconds first.
      [early, '2030-01-01T00:00:00.000000001Z', early],
    ] as const) {
      const description = emptyPeriod(from, shown);
      expect(await api.post(UPDATE, vet(reference, bounds(from, until)))).toMatchObject({
        status: 400,
        body: {
          code: 'TOPOLOGY_INVALID_MAPPING',
          cause: `The topology transaction was rejected due to an invalid mapping: ${description}`,
          context: { description },
          errorCategory: 8,
        },
      });
    }
    // A dry run does not look at it, and only what all changes come to counts.
    const reversed = vet(reference, bounds(late, early));
    await api.ok(UPDATE, { ...reversed, dryRun: true });
    const good = vet(reference, bounds(early, late));
    await api.ok(UPDATE, { changes: [...reversed.changes, ...good.changes] });
  });

  it('prevents contracts from moving to the synchronizer (B-VET-020)', async () => {
    await api.client.close();
    api = await startLedgerApi({ synchronizers: [{ alias: 'one' }, { alias: 'two' }] });
    const [source, target] = api.canticle.network.synchronizers.map(({ id }) => id);
    const alice = api.canticle.participant.allocateParty('alice', {
      synchronizers: ['one', 'two'],
    });
    const contractId = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: source },
    );
    await api.ok(UPDATE, { ...unvet(reference), synchronizerId: target });
    const move = (commandId: string) =>
      api.post('/v2/commands/submit-and-wait-for-reassignment', {
        reassignmentCommands: {
          submitter: alice,
          commandId,
          userId: 'tester',
          commands: [{ command: { UnassignCommand: { value: { contractId, source, target } } } }],
        },
      });
    expect((await move('first')).body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: expect.stringMatching(/not vetted/),
    });
    await api.ok(UPDATE, { ...vet(reference), synchronizerId: target });
    expect((await move('second')).status).toBe(200);
  });

  it('needs a synchronizer in the request if several exist, and the error lists them (B-VET-022)', async () => {
    await api.client.close();
    api = await startLedgerApi({ synchronizers: [{ alias: 'one' }, { alias: 'two' }] });
    const cut = (id: string) => id.replace(/(::.{12}).*/, '$1...');
    const { participant } = api.canticle;
    const connected = participant.engine.connected.map(cut).join(', ');
    const { status, body } = await api.post(UPDATE, unvet(reference));
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER',
      cause: `Cannot autodetect synchronizer: currently connected synchronizers ${connected}`,
      context: { synchronizers: `List(${connected})` },
    });
    expect(connected).toMatch(/^one::1220[0-9a-f]{8}\.\.\., two::1220[0-9a-f]{8}\.\.\.$/);
    const unknown = `other::1220${'ab'.repeat(32)}`;
    const listed = await api.post(LIST, { topologyStateFilter: { synchronizerIds: [unknown] } });
    expect(listed.body).toMatchObject({
      code: 'TOPOLOGY_STORE_NOT_FOUND',
      cause: `No active synchronizer found for ${cut(unknown)}.`,
      context: { synchronizerId: cut(unknown) },
    });
    expect(await api.refusal(UPDATE, { ...unvet(reference), synchronizerId: 'x' })).toBe(
      'PROTO_DESERIALIZATION_FAILURE',
    );
  });
});

it('the list of GET requires the same body as POST', async () => {
  const { status, body } = await api.client.ledger('GET', '/v2/package-vetting');
  expect([status, body]).toEqual([400, 'Invalid value for: body (exhausted input)']);
});
