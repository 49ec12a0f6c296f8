/** Participants of different releases of Canton in one network, as during a rollout. Each answers by its own release. */
import { gunzipSync } from 'node:zlib';
import { createCanticle, startCanticle, type Canticle, type CanticleOptions } from 'canticle';
import { GrpcClient } from '../../support/grpc/client.js';
import { TestClient } from '../../support/client.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import {
  eventFormat,
  exercise,
  LedgerApi,
  updateFormat,
  wildcard,
} from '../../support/ledger-api.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { StreamClient } from '../../support/stream-client.js';

const RELEASES = { old: '3.4', usual: '3.5', next: '3.6' } as const;
type Name = keyof typeof RELEASES;
const NAMES = Object.keys(RELEASES) as Name[];
const VERSIONS = { old: '3.4.12', usual: '3.5.14', next: '3.6.1' };

const options = {
  seed: 1,
  packages: [modelPackage],
  synchronizers: ['one', 'two'],
  participants: [{ name: 'old', canton: '3.4' }, 'usual', { name: 'next', canton: '3.6' }],
} as const satisfies CanticleOptions;

let canticle: Canticle;
let apis: Record<Name, LedgerApi>;
let parties: Record<Name, string>;
const clients: TestClient[] = [];

function at(name: Name): LedgerApi {
  const own = Object.create(canticle, { url: { value: canticle.ledgerApis[name] } }) as Canticle;
  const client = new TestClient(own, { apiVersion: RELEASES[name] });
  clients.push(client);
  return new LedgerApi(client);
}

const byName = <T>(make: (name: Name) => T) =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<Name, T>;

beforeEach(async () => {
  canticle = await startCanticle({ ...options, grpc: true, checkpoints: { first: 1_000_000 } });
  apis = byName(at);
  parties = byName((name) => canticle.network.participant(name).allocateParty(`party-${name}`));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

const allOf = (party: string) => updateFormat('LEDGER_EFFECTS', eventFormat([party], wildcard()));
const get = async (api: LedgerApi, path: string) => (await api.client.ledger('GET', path)).body;
const shared = (giver: Name, more: object = {}) =>
  apis[giver].create(
    model('WithObservers'),
    { giver: parties[giver], observers: Object.values(parties) },
    { actAs: parties[giver], ...more },
  );

describe.each(NAMES)('the participant of %s', (name) => {
  it('names its release on each way to it', async () => {
    const version = VERSIONS[name];
    expect((await get(apis[name], '/v2/version')).version).toBe(version);
    expect(await get(apis[name], '/docs/openapi')).toContain(`version: ${version}\n`);
    const below = await fetch(`${canticle.url}/participants/${name}/v2/version`);
    expect(await below.json()).toMatchObject({ version });
    const inside = await canticle.handle({ path: `/participants/${name}/v2/version` });
    expect(inside.json()).toMatchObject({ version });
    const grpc = await GrpcClient.connect(canticle.grpcApis[name]!);
    const answer = await grpc.call('VersionService/GetLedgerApiVersion');
    grpc.close();
    expect(answer).toMatchObject({ version });
  });

  it('has the operations of its release, disabled ones too', async () => {
    const outcome = async (path: string, method = 'POST') =>
      (await apis[name].client.ledger(method, path, method === 'POST' ? {} : undefined)).body;
    const byHash = await outcome('/v2/updates/update-by-hash');
    const page = await outcome('/v2/updates/get-updates-page');
    const vetting = await outcome('/v2/package-vetting', 'GET');
    expect([byHash.code !== undefined, page.code !== undefined, vetting.code]).toEqual(
      {
        old: [false, false, undefined],
        usual: [false, true, undefined],
        next: [true, true, 'DEPRECATED_API_DISABLED'],
      }[name],
    );
  });

  it('names a resource as its release does', async () => {
    const { resources } = await get(apis[name], '/v2/users/nobody');
    expect(resources[0][0]).toBe(name === 'next' ? 'USER' : 'ErrorResource(USER)');
  });
});

it('commands of each reach the streams of all, in the form of their releases', async () => {
  const streams = await Promise.all(
    NAMES.map((name) =>
      new StreamClient(`${canticle.ledgerApis[name]}/v2/updates`).send({
        beginExclusive: 0,
        updateFormat: allOf(parties[name]),
      }),
    ),
  );
  for (const giver of NAMES) await shared(giver);
  await Promise.all(streams.map((stream) => stream.until(() => stream.elements.length === 3)));
  const seen = streams.map(({ elements }) =>
    elements.map(({ update }) => update.Transaction.value),
  );
  const ids = seen.map((all) => all.map(({ updateId }) => updateId));
  expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  const hasHash = seen.map((all) => all.map((each) => 'transactionHash' in each));
  expect(hasHash).toEqual([
    [false, false, false],
    [false, false, false],
    [true, true, true],
  ]);
  const hasKeyHash = seen.map(([{ events }]) => 'contractKeyHash' in events[0].CreatedEvent);
  expect(hasKeyHash).toEqual([false, true, true]);
  await Promise.all(streams.map((stream) => stream.close()));
});

it('a party of one release exercises a choice on the contract of another', async () => {
  for (const giver of NAMES) {
    const contract = await shared(giver);
    await apis[giver].submit(exercise(model('WithObservers'), contract, 'Archive'), {
      actAs: parties[giver],
    });
    for (const name of NAMES)
      expect(await apis[name].active(eventFormat([parties[name]], wildcard()))).toEqual([]);
  }
});

it('a participant of one release completes a reassignment that another began', async () => {
  const [one, two] = canticle.network.synchronizers.map(({ id }) => id);
  const contractId = await shared('old', { synchronizerId: one });
  const move = (name: Name, command: object) =>
    apis[name].ok('/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands: {
        submitter: parties[name],
        commandId: `move-${name}`,
        userId: 'mover',
        commands: [{ command }],
      },
      eventFormat: eventFormat([parties[name]], wildcard()),
    });
  const unassign = { UnassignCommand: { value: { contractId, source: one, target: two } } };
  const { reassignment } = await move('old', unassign);
  const { reassignmentId } = reassignment.events[0].JsUnassignedEvent.value;
  canticle.advanceTime({ minutes: 1 });
  for (const name of NAMES) {
    const [entry] = await apis[name].acs(eventFormat([parties[name]], wildcard()));
    expect(entry.contractEntry.JsActiveContract).toMatchObject({
      synchronizerId: two,
      reassignmentCounter: 1,
    });
    const updates = await apis[name].updates(allOf(parties[name]));
    expect(updates[1].Reassignment.value.events[0].JsUnassignedEvent.value).toMatchObject({
      reassignmentId,
    });
  }
});

it('the default protocol version is one that all participants support', () => {
  expect(canticle.network.synchronizers[0]!.protocol.version).toBe(34);
  const later = createCanticle({ participants: ['usual', { name: 'next', canton: '3.6' }] });
  expect(later.network.synchronizers[0]!.protocol.version).toBe(35);
});

it('each participant accepts the languages of its release', async () => {
  const bytes = notes();
  const [one] = canticle.network.synchronizers;
  const answers = await Promise.all(
    NAMES.map(async (name) => {
      const path = `/participants/${name}/v2/dars?synchronizerId=${one!.id}`;
      const { status, json } = await canticle.handle({ path, body: bytes });
      return [status, (json() as { code?: string }).code];
    }),
  );
  expect(answers[0]).toEqual([400, 'DAR_PARSE_ERROR']);
  expect(answers[2]).toEqual([200, undefined]);
  expect(() => createCanticle({ ...options, dars: [bytes] })).toThrow('DAR_PARSE_ERROR');
});

it('alphaVersionSupport applies to participants of each release', async () => {
  const isAccepted = async (alphaVersionSupport: boolean, name: string) => {
    const network = createCanticle({ ...options, synchronizers: ['one'], alphaVersionSupport });
    const dev = { path: `/participants/${name}/v2/dars`, body: notes('dev') };
    return (await network.handle(dev)).status === 200;
  };
  for (const name of NAMES)
    expect([await isAccepted(false, name), await isAccepted(true, name)]).toEqual([false, true]);
});

function notes(lf: '3' | 'dev' = '3') {
  const modules = { Main: { types: { Note: { record: { text: t.text } } } } };
  return buildDar(encodePackage({ name: 'notes', version: '1.0.0', modules, lf }));
}

it('a simulated step is read by the release of its participant', () => {
  let nested: unknown = 'x';
  for (let level = 0; level < 120; level += 1) nested = { nested };
  const step = (participant: Name) => ({
    participant,
    actAs: [parties[participant]],
    commands: [
      { CreateCommand: { templateId: model('Dummy'), createArguments: { operator: nested } } },
    ],
  });
  const errorOf = (name: Name) => canticle.simulate([step(name)]).steps[0]!.error?.cause;
  expect(errorOf('next')).toContain('depth');
  expect(errorOf('usual')).not.toContain('depth');
});

/** The first line of a saved world. */
function head(canticle: Canticle): Record<string, unknown> {
  const bytes = gunzipSync(canticle.dump());
  return JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString()) as Record<string, unknown>;
}

describe('the releases remain', () => {
  const versionsOf = async (of: Canticle) =>
    Promise.all(
      NAMES.map(async (name) => {
        const answer = await of.handle({ path: `/participants/${name}/v2/version` });
        return (answer.json() as { version: string }).version;
      }),
    );

  it('after a reset', async () => {
    canticle.reset();
    expect(await versionsOf(canticle)).toEqual(Object.values(VERSIONS));
  });

  it('in a saved world, with its enabled operations', async () => {
    const { participants } = options;
    const saved = createCanticle({
      ...options,
      participants: participants.map((each) =>
        typeof each === 'object' && each.name === 'next'
          ? { ...each, enableDeprecatedEndpoints35: true }
          : each,
      ),
    });
    const loaded = createCanticle({ load: saved.dump(), packages: [modelPackage] });
    expect(await versionsOf(loaded)).toEqual(Object.values(VERSIONS));
    const path = '/participants/next/v2/package-vetting';
    expect((await loaded.handle({ path })).body.toString()).not.toContain('DISABLED');
    const again = createCanticle({ load: loaded.dump(), packages: [modelPackage] });
    expect(await versionsOf(again)).toEqual(Object.values(VERSIONS));
    expect(again.network.participant('old').shared.languages).toEqual(
      saved.network.participant('old').shared.languages,
    );
  });

  it('in a saved world of one release, which names no nodes', async () => {
    const world = createCanticle({ canton: '3.6', participants: ['one', 'two'] });
    const loaded = createCanticle({ load: world.dump() });
    expect((await loaded.handle({ path: '/v2/version' })).json()).toMatchObject({
      version: '3.6.1',
    });
    expect(head(world)).not.toHaveProperty('nodes');
    const mixed = createCanticle({ participants: ['one', { name: 'two', canton: '3.6' }] });
    expect(head(mixed)).toMatchObject({ apiVersion: '3.5', nodes: { two: { canton: '3.6' } } });
  });
});

it('a participant enables only the disabled parts of its API', async () => {
  const mixed = createCanticle({
    canton: '3.6',
    enableDeprecatedEndpoints34: true,
    participants: [
      { name: 'first', enableDeprecatedEndpoints35: true },
      { name: 'second', enableDeprecatedEndpoints34: false },
    ],
  });
  const codeAt = async (name: string, path: string, method: 'GET' | 'POST') => {
    const body = method === 'POST' ? {} : undefined;
    const answer = await mixed.handle({ method, path: `/participants/${name}${path}`, body });
    return answer.body.toString().includes('DEPRECATED_API_DISABLED');
  };
  const trees = ['/v2/updates/trees', 'POST'] as const;
  const vetting = ['/v2/package-vetting', 'GET'] as const;
  expect([
    await codeAt('first', ...trees),
    await codeAt('first', ...vetting),
    await codeAt('second', ...trees),
    await codeAt('second', ...vetting),
  ]).toEqual([false, false, true, true]);
});

it('a fault rule may name an operation that only one participant has', () => {
  expect(() =>
    canticle.faults.add({ on: 'postV2UpdatesUpdate-by-hash', do: { lose: 'answer' } }),
  ).not.toThrow();
});
