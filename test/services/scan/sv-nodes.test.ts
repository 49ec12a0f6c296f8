/** Scan on the SVs' nodes, upgrades of the synchronizer and who hosts a party (S-DSO-005 to S-DSO-007, S-MIG-003, S-MIG-004, S-SYN-004). */
import { some } from '../../../src/daml/index.js';
import { createCanticle } from 'canticle';
import { furnishModel, MODEL_PACKAGES, ModelWorld } from '../../support/splice/amulet-model.js';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

const SCAN = '/api/scan/v0';
const NOTHING = {
  sequencer: null,
  scan: null,
  legacySequencerConfig: null,
  physicalSynchronizers: null,
  sequencerIdentity: null,
};

function staffed() {
  const world = new ModelWorld();
  const [one, two, gone] = ['one', 'two', 'gone'].map((hint) =>
    world.participant.allocateParty(hint),
  ) as [string, string, string];
  const found = () =>
    world.make('DsoRules', { svs: [one, two].sort().map((sv) => [sv, { name: 'sv' }]) });
  const state = (
    sv: string,
    svName: string,
    synchronizerNodes: readonly (readonly [string, object])[],
  ) =>
    world.make('SvNodeState', {
      sv,
      svName,
      state: {
        synchronizerNodes: synchronizerNodes.map(([id, node]) => [id, { ...NOTHING, ...node }]),
      },
    } as never);
  return { world, one, two, gone, found, state };
}

test('lists the Scans of the SVs, by synchronizer (S-DSO-005)', async () => {
  const { world, one, two, gone, found, state } = staffed();
  const getScans = () => world.get(`${SCAN}/scans`);
  expect(await getScans()).toEqual({ status: 404, body: { error: 'No active DsoRules contract' } });
  found();
  const scan = (publicUrl: string) => ({ scan: some({ publicUrl }) });
  state(one, 'sv-one', [
    ['b', scan('https://one.b')],
    ['a', scan('https://one.a')],
  ]);
  state(two, 'sv-two', [
    ['a', scan('https://two.a')],
    ['c', {}],
  ]);
  state(gone, 'sv-gone', [['a', scan('https://gone.a')]]);
  expect((await getScans()).body).toEqual({
    scans: [
      {
        domainId: 'a',
        scans: [
          { svName: 'sv-one', publicUrl: 'https://one.a' },
          { svName: 'sv-two', publicUrl: 'https://two.a' },
        ],
      },
      { domainId: 'b', scans: [{ svName: 'sv-one', publicUrl: 'https://one.b' }] },
    ],
  });
});

test('lists available sequencers by migration or by serial (S-DSO-006)', async () => {
  const { world, one, two, found, state } = staffed();
  found();
  const time = 1_767_225_600_000_000n;
  const sequencer = (url: string, availableAfter: bigint | null = time) => ({
    migrationId: 2n,
    sequencerId: `SEQ::${url}`,
    url,
    availableAfter: availableAfter === null ? null : some(availableAfter),
  });
  state(one, 'sv-one', [
    [
      'a',
      {
        sequencer: some(sequencer('https://new')),
        physicalSynchronizers: some([
          [0n, { sequencer: some({ url: 'https://physical' }) }],
          [1n, { sequencer: null }],
        ]),
        sequencerIdentity: some({ sequencerId: 'SEQ::one', availableAfter: some(time) }),
      },
    ],
  ]);
  state(two, 'sv-two', [
    ['a', { sequencer: some(sequencer('https://soon', null)) }],
    ['b', { sequencer: some(sequencer('no url')) }],
  ]);
  const svName = 'sv-one';
  const { body } = await world.get<any>(`${SCAN}/dso-sequencers`);
  expect(body).toEqual({
    domainSequencers: [
      {
        domainId: 'a',
        sequencers: [
          {
            svName,
            migrationId: 2,
            synchronizerSerial: null,
            id: 'SEQ::https://new',
            url: 'https://new',
            availableAfter: '2026-01-01T00:00:00Z',
          },
          {
            svName,
            migrationId: -1,
            synchronizerSerial: 0,
            id: 'SEQ::one',
            url: 'https://physical',
            availableAfter: '2026-01-01T00:00:00Z',
          },
        ],
      },
      { domainId: 'b', sequencers: [] },
    ],
  });
  expect((await world.get(`${SCAN}/sv-bft-sequencers`)).body).toEqual({ bftSequencers: [] });
});

test('shows the sequencer of an earlier migration as available since the start of time, against the schema', async () => {
  const canticle = createCanticle({ packages: MODEL_PACKAGES });
  furnishModel(canticle);
  const { participant, splice } = canticle;
  const { dsoParty: dso } = splice;
  const legacy = { migrationId: '1', sequencerId: 'SEQ::old', url: 'https://old' };
  const synchronizerNodes = [['a', { ...NOTHING, legacySequencerConfig: legacy }]];
  participant.create(
    '#splice-dso-governance:Splice.DSO.SvState:SvNodeState',
    { dso, sv: dso, svName: 'sv', state: { synchronizerNodes } },
    { actAs: [dso] },
  );
  const answer = await canticle.handle({ path: `${SCAN}/dso-sequencers` });
  expect(answer.json()).toMatchObject({
    domainSequencers: [
      { sequencers: [{ migrationId: 1, availableAfter: '-999999999-01-01T00:00:00+18:00' }] },
    ],
  });
});

test('the serial of a synchronizer counts its upgrades, and none is announced (S-MIG-003, S-MIG-004)', async () => {
  const world = new ModelWorld();
  const getSerial = () => world.get(`${SCAN}/active-synchronizer-serial`);
  expect(await getSerial()).toEqual({ status: 404, body: { error: 'No amulet rules' } });
  world.rules();
  expect((await getSerial()).body).toEqual({ serial: 0 });
  world.migrate(1);
  expect((await getSerial()).body).toEqual({ serial: 1 });
  expect((await world.get(`${SCAN}/lsu`)).body).toEqual({ lsu: null });
  expect((await world.get(`${SCAN}/roll-forward-lsu`)).body).toEqual({ rollForwardLsu: null });
});

/** As Canton prints ids. */
const cut = (id: string) => `${id.slice(0, id.indexOf('::') + 14)}...`;

describe('the participants of a party', () => {
  const getParticipant = (world: SpliceWorld, version: string, domain: string, party: string) =>
    world.get(`/api/scan/${version}/domains/${domain}/parties/${party}/participant-id`);

  test('are returned if there is one (S-SYN-004)', async () => {
    const world = new SpliceWorld({
      network: {
        synchronizers: TWO_SYNCHRONIZERS,
        participants: [{ name: 'one' }, { name: 'two' }],
      },
    });
    const [one, two] = world.network.participants;
    const alice = two!.allocateParty('alice');
    const domain = world.synchronizerId('global');
    const id = `PAR::${two!.id}`;
    expect((await getParticipant(world, 'v0', domain, alice)).body).toEqual({ participant_id: id });
    expect((await getParticipant(world, 'v1', domain, alice)).body).toEqual({
      participant_ids: [id],
    });
    const nobody = `nobody::${one!.id.split('::')[1]}`;
    for (const version of ['v0', 'v1'])
      expect(await getParticipant(world, version, domain, nobody)).toEqual({
        status: 404,
        body: { error: `No PartyToParticipant state for ${cut(nobody)} on domain ${cut(domain)}` },
      });
  });

  test('are returned if there are several, which version 0 rejects', async () => {
    const world = new SpliceWorld({
      network: { participants: [{ name: 'one' }, { name: 'two' }] },
    });
    const [one, two] = world.network.participants;
    const alice = one!.allocateParty('alice');
    const domain = world.synchronizerId('global');
    world.network.commit({
      kind: 'topology',
      synchronizerId: domain,
      workflowId: '',
      events: [{ kind: 'added', party: alice, participantId: two!.id, permission: 'confirmation' }],
    });
    expect((await getParticipant(world, 'v1', domain, alice)).body).toEqual({
      participant_ids: [`PAR::${one!.id}`, `PAR::${two!.id}`],
    });
    expect(await getParticipant(world, 'v0', domain, alice)).toEqual({
      status: 500,
      body: {
        error: `Party ${cut(alice)} is hosted on multiple participants, which is not supported in this version of the API. Please use the /v1 version instead.`,
      },
    });
  });

  test.each([
    ['v0', 'global', 'a::b', 'Could not decode domain ID: '],
    ['v1', 'global', 'a::b', 'Could not decode synchronizer ID: '],
    ['v1', 'global::b', 'alice', 'Could not decode party ID: '],
  ])('require valid ids in %s: %s, %s', async (version, domain, party, error) => {
    const answer = await getParticipant(new SpliceWorld(), version, domain, party);
    expect(answer).toEqual({
      status: 400,
      body: { error: expect.stringContaining(`${error}Invalid unique identifier`) },
    });
  });
});
