/** Synchronizers with different protocol versions in one network: what can be used and moved where. */
import { createCanticle, type Canticle, type ParticipantView } from 'canticle';
import { buildDar } from '../support/daml/dar-builder.js';
import { key, keysPackage } from '../support/daml/keys-package.js';
import { e } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import { model, modelPackage } from '../support/daml/model-package.js';
import { create, exercise, type JsonAnswer } from '../support/ledger-api.js';

const SYNCHRONIZERS = [
  { alias: 'new', protocolVersion: 36 as const },
  { alias: 'middle' },
  { alias: 'old', protocolVersion: 34 as const },
];
const PACKAGES = [modelPackage, keysPackage];
const SHARED = model('WithObservers');
let canticle: Canticle;
let participant: ParticipantView;
let alice: string;
const idOf = (alias: string) => canticle.network.synchronizer(alias)!.id;

beforeEach(() => {
  canticle = createCanticle({
    canton: '3.6',
    synchronizers: SYNCHRONIZERS,
    packages: PACKAGES,
    seed: 1,
  });
  participant = canticle.participant;
  alice = participant.allocateParty('alice');
});

let sent = 0;
async function submit(command: object, more: object): Promise<JsonAnswer> {
  const body = {
    commands: [command],
    commandId: `c-${++sent}`,
    userId: 'tester',
    actAs: [alice],
    ...more,
  };
  return (await canticle.handle({ path: '/v2/commands/submit-and-wait', body })).json();
}
const on = (alias: string) => ({ synchronizerId: idOf(alias) });
const shared = () => create(SHARED, { giver: alice, observers: [] });
const account = () => create(key('Account'), { owner: alice, number: 'one', readers: [] });

it('each has its own version, and a saved world keeps it (R-36-061)', () => {
  const ends = (each: Canticle) =>
    each.network.synchronizers.map(({ physicalId }) => physicalId.slice(-4));
  expect(ends(canticle)).toEqual(['36-0', '35-0', '34-0']);
  expect(ends(createCanticle({ load: canticle.dump(), packages: PACKAGES }))).toEqual([
    '36-0',
    '35-0',
    '34-0',
  ]);
});

it('contracts move between all of them, in both directions (B-RSG-035)', async () => {
  const contract = participant.create(
    SHARED,
    { giver: alice, observers: [] },
    { actAs: [alice], synchronizer: 'new' },
  );
  for (const to of ['old', 'middle', 'new', 'middle', 'old', 'new']) {
    participant.assign(participant.unassign(contract, { to, submitter: alice }), {
      submitter: alice,
    });
  }
  expect(await submit(exercise(SHARED, contract, 'Archive'), on('old'))).toMatchObject({
    updateId: expect.any(String),
  });
});

describe('contract keys', () => {
  it('are not usable on protocol version 34: its languages exclude them', async () => {
    expect(await submit(account(), on('old'))).toMatchObject({
      code: 'ALLOWED_LANGUAGE_VERSIONS',
      cause: expect.stringContaining('Expected version range is List(2.1, 2.2) but got 2.3'),
    });
    for (const alias of ['middle', 'new'])
      expect(await submit(account(), on(alias))).toHaveProperty('updateId');
  });

  it('exclude it from the routing, as its transactions cannot encode them (B-RSG-034)', async () => {
    const other = createCanticle({
      canton: '3.6',
      synchronizers: [{ alias: 'old', protocolVersion: 34 }, { alias: 'zone' }],
      packages: [keysPackage],
    });
    const bob = other.participant.allocateParty('bob');
    const reader = other.participant.allocateParty('reader', { synchronizers: ['old'] });
    const send = (tapsMaxPasses: number) => {
      const commands = [create(key('Account'), { owner: bob, number: 'one', readers: [reader] })];
      const body = { commands, commandId: 'c', userId: 'tester', actAs: [bob], tapsMaxPasses };
      return other.handle({ path: '/v2/commands/submit-and-wait', body });
    };
    // The first pass runs the code by the protocol of the last synchronizer by id.
    const { code, cause } = (await send(1)).json() as JsonAnswer;
    expect(code).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
    expect(cause).toMatch(
      /old::1220\S+::34-0: The transaction uses a specific LF version V2 that is supported starting protocol version: 35\. Currently the synchronizer old::1220\S+::34-0 is using 34\.$/,
    );
    // The next one runs it by that of the only synchronizer with all informees.
    expect((await send(2)).json()).toMatchObject({ code: 'ALLOWED_LANGUAGE_VERSIONS' });
  });
});

describe('the first pass uses the protocol of a synchronizer that could take the commands (B-PSL-033)', () => {
  let other: Canticle;
  let bob: string;
  let carol: string;
  const keyed = (owner: string) => create(key('Account'), { owner, number: 'one', readers: [] });
  const send = async (commands: readonly object[], actAs: readonly string[]) => {
    const body = { commands, commandId: 'c', userId: 'tester', actAs, tapsMaxPasses: 1 };
    const answer = await other.handle({ path: '/v2/commands/submit-and-wait', body });
    return (answer.json() as JsonAnswer).code;
  };

  beforeEach(() => {
    other = createCanticle({
      canton: '3.6',
      synchronizers: [{ alias: 'old', protocolVersion: 34 }, { alias: 'zone' }],
      packages: PACKAGES,
    });
    bob = other.participant.allocateParty('bob');
    carol = other.participant.allocateParty('carol', { synchronizers: ['old'] });
  });

  it('without limits it is the last by id', async () => {
    expect(await send([keyed(bob)], [bob])).toBeUndefined();
  });

  it('it must know all parties', async () => {
    expect(await send([keyed(carol)], [carol])).toBe('ALLOWED_LANGUAGE_VERSIONS');
    expect(await send([keyed(bob)], [bob, carol])).toBe('ALLOWED_LANGUAGE_VERSIONS');
  });

  it('the participant must have vetted the packages of all commands there', async () => {
    const { id } = other.network.synchronizer('zone')!;
    const operation = { Unvet: { value: { packages: [{ packageId: modelPackage.id }] } } };
    const body = { changes: [{ operation }], synchronizerId: id };
    const { status } = await other.handle({ path: '/v2/package-vetting/update', body });
    expect(status).toBe(200);
    const plain = create(SHARED, { giver: bob, observers: [] });
    expect(await send([keyed(bob), plain], [bob])).toBe('ALLOWED_LANGUAGE_VERSIONS');
  });

  const unvetKeys = async (alias: string): Promise<void> => {
    const { id } = other.network.synchronizer(alias)!;
    const operation = { Unvet: { value: { packages: [{ packageId: keysPackage.id }] } } };
    const body = { changes: [{ operation }], synchronizerId: id };
    await other.handle({ path: '/v2/package-vetting/update', body });
  };
  const byId = () => ({
    CreateCommand: {
      templateId: key('Account').replace(/^#[^:]+/, keysPackage.id),
      createArguments: { owner: bob, number: 'one', readers: [] },
    },
  });

  it('if only one could take them, it is that one', async () => {
    await unvetKeys('zone');
    expect(await send([byId()], [bob])).toBe('ALLOWED_LANGUAGE_VERSIONS');
  });

  it('if none could take them, it is the last one of the participant', async () => {
    await unvetKeys('old');
    await unvetKeys('zone');
    const code = await send([byId()], [bob]);
    expect(code).toMatch(/^\w+$/);
    expect(code).not.toBe('ALLOWED_LANGUAGE_VERSIONS');
  });
});

describe('vetting', () => {
  const signed = (template: string, more = {}) => ({
    fields: { owner: t.party, ...more },
    signatories: e.list(t.party, [e.field(t.con(`Main:${template}`), 'owner', e.var('this'))]),
  });
  const base = encodePackage({
    lf: '2',
    name: 'base',
    modules: {
      Main: {
        types: { Unit: { record: { name: t.text } } },
        templates: { Stone: signed('Stone') },
      },
    },
  });
  const house = encodePackage({
    lf: '2',
    name: 'house',
    imports: [base.id],
    modules: {
      Main: {
        templates: { House: signed('House', { unit: t.optional(t.con(`${base.id}:Main:Unit`)) }) },
      },
    },
  });
  const unvet = async (alias: string) => {
    const body = {
      changes: [{ operation: { Unvet: { value: { packages: [{ packageId: base.id }] } } } }],
      synchronizerId: idOf(alias),
    };
    return (await canticle.handle({ path: '/v2/package-vetting/update', body })).json();
  };
  const FORCE = ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES'];

  beforeEach(async () => {
    for (const { alias } of SYNCHRONIZERS) {
      const path = `/v2/dars?synchronizerId=${encodeURIComponent(idOf(alias))}`;
      expect((await canticle.handle({ path, body: buildDar(house, base) })).status).toBe(200);
    }
  });

  it('of dependencies is required only where the protocol requires it (B-VET-017)', async () => {
    expect(await unvet('old')).toMatchObject({ code: 'TOPOLOGY_DEPENDENCIES_NOT_VETTED' });
    expect(await unvet('middle')).not.toHaveProperty('code');
    expect(await unvet('new')).not.toHaveProperty('code');
  });

  it('prevents the move of a contract to a synchronizer that requires a dependency', async () => {
    const body = {
      changes: [{ operation: { Unvet: { value: { packages: [{ packageId: base.id }] } } } }],
      synchronizerId: idOf('old'),
      updateVettedPackagesForceFlags: FORCE,
    };
    await canticle.handle({ path: '/v2/package-vetting/update', body });
    const made = (alias: string) =>
      participant.create(
        '#house:Main:House',
        { owner: alice, unit: null },
        { actAs: [alice], synchronizer: alias },
      );
    const contract = made('middle');
    expect(() => participant.unassign(contract, { to: 'old', submitter: alice })).toThrow(
      /Participant PAR::sandbox::\S+ has not vetted/,
    );
    expect(() => participant.unassign(contract, { to: 'new', submitter: alice })).not.toThrow();
  });
});

it('prepares with the hashing schemes of the synchronizer (R-36-062)', async () => {
  const prepared = async (alias: string, version: number) => {
    const body = {
      userId: 'tester',
      commandId: 'c',
      commands: [shared()],
      actAs: [alice],
      synchronizerId: idOf(alias),
      packageIdSelectionPreference: [],
      hashingSchemeVersion: `HASHING_SCHEME_VERSION_V${version}`,
    };
    const answer = await canticle.handle({ path: '/v2/interactive-submission/prepare', body });
    return answer.status;
  };
  const statuses: Record<string, readonly number[]> = {};
  for (const { alias } of SYNCHRONIZERS)
    statuses[alias] = [
      await prepared(alias, 2),
      await prepared(alias, 3),
      await prepared(alias, 4),
    ];
  expect(statuses).toEqual({ new: [200, 200, 200], middle: [200, 200, 400], old: [200, 400, 400] });
});
