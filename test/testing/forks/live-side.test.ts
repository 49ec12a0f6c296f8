/** A participant that runs elsewhere, here another Canticle over HTTP with authorization on, and what goes on from it. */
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { ownDar, ownPackage } from '../../../fixtures/worlds/own-dar.js';
import { useCanticle } from '../../../src/testing/jest.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

type Json = any;
type Fork = NonNullable<Parameters<typeof startCanticle>[0]>['fork'];

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const folder = useTemporaryFolder();
const open: Canticle[] = [];

let live: Canticle;
let fork: Canticle;
let [bank, alice, bob, token] = ['', '', '', ''];
let requests: Json[] = [];

const iou = () => ({
  issuer: bank,
  owner: alice,
  currency: 'EUR',
  amount: '4.0',
  observers: [bob],
});
const forked = async (options: Partial<Fork> = {}): Promise<Canticle> => {
  const made = await startCanticle({ fork: { url: live.url, token, cache: false, ...options } });
  open.push(made);
  return made;
};

beforeAll(async () => {
  live = await startCanticle({
    seed: 3,
    auth: { services: [{ type: 'built-in-issuer' }] },
    dars: [ownDar],
  });
  open.push(live);
  const { participant } = live;
  [bank, alice, bob] = ['bank', 'alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
    string,
  ];
  for (let i = 0; i < 3; i += 1) {
    const id = participant.create(IOU, iou(), { actAs: [bank, alice] });
    if (i > 0) participant.exercise(IOU, id, 'Iou_Split', { splitAmount: '1.0' }, { actAs: alice });
  }
  live.token.mint(alice, '10.0');
  participant.engine.users.create({ id: 'reader', primaryParty: alice }, [
    { kind: 'CanReadAsAnyParty' },
    { kind: 'ParticipantAdmin' },
    { kind: 'CanActAs', party: alice },
  ]);
  participant.engine.users.create({ id: 'bob' }, [{ kind: 'CanReadAs', party: bob }]);
  token = await live.accessToken({ sub: 'reader' });
  live.requests.clear();
  fork = await forked();
  requests = live.requests.list();
});
afterAll(() => Promise.all(open.map((each) => each.close())));
let start: readonly string[];
beforeEach(() => {
  start = [live.snapshot(), fork.snapshot()];
});
afterEach(() => {
  live.revert(start[0]!);
  fork.revert(start[1]!);
});

const WILDCARD = {
  cumulative: [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ],
};
const request = async (of: Canticle, path: string, body?: unknown): Promise<Json> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await of.handle({ path, body, headers: of === live ? headers : {} })).json();
};
const acs = (of: Canticle, offset: number): Promise<Json> =>
  request(of, '/v2/state/active-contracts-page', {
    eventFormat: { filtersByParty: {}, filtersForAnyParty: WILDCARD, verbose: false },
    activeAtOffset: offset,
  });

it('has every contract unchanged, with its blob, its offset and its synchronizer', async () => {
  const offset = live.participant.ledgerEnd;
  const [there, here] = [await acs(live, offset), await acs(fork, offset)];
  expect(here.activeContracts).toHaveLength(7);
  expect(here.activeContracts).toEqual(there.activeContracts);
});

it.each([
  '/v2/version',
  '/v2/state/ledger-end',
  '/v2/state/connected-synchronizers',
  '/v2/parties',
  '/v2/parties/participant-id',
  '/v2/users',
  '/v2/users/reader/rights',
  '/v2/packages',
  `/v2/packages/${ownPackage.id}/status`,
])('gives the same answer to %s', async (path) => {
  const [there, here] = [await request(live, path), await request(fork, path)];
  expect(here).toEqual(there);
});

it('shows earlier history as pruned', async () => {
  const { participantPrunedUpToInclusive } = await request(fork, '/v2/state/latest-pruned-offsets');
  expect(participantPrunedUpToInclusive).toBe(live.participant.ledgerEnd);
  expect((await acs(fork, 3)).code).toBe('PARTICIPANT_PRUNED_DATA_ACCESSED');
});

it('sends only read requests to the other side, and does not change it', () => {
  const kinds = new Set(requests.map(({ method, operation }) => `${method} ${operation}`));
  const posts = [...kinds].filter((each) => !each.startsWith('GET '));
  expect(posts.sort()).toEqual([
    'POST postV2Package-vettingList',
    'POST postV2StateActive-contracts-page',
    'POST postV2UpdatesUpdate-by-offset',
  ]);
  expect(requests.every(({ updateId }) => updateId === undefined)).toBe(true);
  expect(fork.participant.ledgerEnd).toBe(live.participant.ledgerEnd);
});

it('gives the same results as the other side for later commands', async () => {
  const did = [live, fork].map((each) => {
    const { participant } = each;
    const [first] = participant.activeContracts({ party: bank, template: IOU });
    const moved = participant.exercise(
      IOU,
      first!.contractId,
      'Iou_Transfer',
      { newOwner: bob },
      { actAs: [alice, bob] },
    );
    const offer = each.token.transfer({ from: alice, to: bob, amount: '2.5' });
    each.token.accept(offer.instruction!, bob);
    const id = moved.result as string;
    return {
      end: participant.ledgerEnd,
      created: participant.contract(id)!.payload,
      idKind: [id.length, id.slice(66, 72)],
      held: each.token.holdings(bob).map(({ payload }) => payload),
      ious: participant.activeContracts({ party: bob, template: IOU }).length,
    };
  });
  expect(did[1]).toEqual(did[0]);
});

it('acts as any party, and simulates submissions', () => {
  const { participant } = fork;
  const [first] = participant.activeContracts({ party: bank, template: IOU });
  const command = {
    ExerciseCommand: {
      templateId: IOU,
      contractId: first!.contractId,
      choice: 'Archive',
      choiceArgument: {},
    },
  };
  const { outcome, steps } = fork.simulate(command, { actAs: [bank, alice] });
  expect([outcome, steps[0]!.archived[0]!.contractId]).toEqual(['accepted', first!.contractId]);
});

it('is a world like any other, which is saved and continues', () => {
  const again = createCanticle({ load: fork.dump() });
  expect(Buffer.compare(again.dump(), fork.dump())).toBe(0);
  const done = [fork, again].map(({ participant }) =>
    participant.create(IOU, iou(), { actAs: [bank, alice] }),
  );
  expect(done[1]).toBe(done[0]);
});

it('acts as parties of other participants, unless an option forbids it', async () => {
  const pair = await startCanticle({ participants: ['one', 'two'] });
  open.push(pair);
  const [one, two] = pair.participants as [typeof live.participant, typeof live.participant];
  const carol = two.allocateParty('carol');
  const dora = one.allocateParty('dora');
  const parties = { issuer: dora, owner: dora, observers: [carol] };
  one.create(IOU, { ...iou(), ...parties }, { actAs: dora });
  const withCarol = { ...iou(), issuer: carol, owner: carol, observers: [dora] };
  const tried = async (impersonate: boolean) => {
    const of = { url: pair.ledgerApis['one']!, cache: false, impersonate } as const;
    const here = await startCanticle({ fork: of });
    open.push(here);
    const command = { CreateCommand: { templateId: IOU, createArguments: withCarol } };
    const { steps } = here.simulate(command, { actAs: carol, participant: 'one' });
    const parties = await here.handle({ path: '/v2/parties' });
    const shown = (parties.json() as Json).partyDetails.find((each: Json) => each.party === carol);
    return [steps[0]!.error?.code ?? 'accepted', shown.isLocal];
  };
  expect(await tried(true)).toEqual(['accepted', true]);
  expect(await tried(false)).toEqual(['NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', false]);
});

it('a second start sends no requests, and continues after an interruption', async () => {
  const cache = join(folder(), 'resumed');
  const broken = live.use('postV2StateActive-contracts-page', { status: 503, body: {} });
  await expect(forked({ cache })).rejects.toThrow('was answered with 503');
  broken.remove();
  live.requests.clear();
  await forked({ cache });
  const operations = live.requests.list().map(({ operation }) => operation);
  expect(operations).toEqual([
    'getV2PartiesParticipant-id',
    'getV2StateLatest-pruned-offsets',
    'postV2StateActive-contracts-page',
  ]);
  live.requests.clear();
  const offline = await forked({ cache, token: 'of nobody' });
  expect(offline.participant.activeContracts()).toHaveLength(7);
  expect(live.requests.list()).toEqual([]);
});

describe('does not continue an interrupted fork', () => {
  const interrupted = async (name: string): Promise<string> => {
    const cache = join(folder(), name);
    const rule = live.faults.add({
      on: 'postV2StateActive-contracts-page',
      do: { lose: 'answer' },
    });
    await expect(forked({ cache })).rejects.toThrow('cannot be reached');
    rule.remove();
    return cache;
  };

  it('if another participant answers', async () => {
    const cache = await interrupted('other');
    const participantId = `other::1220${'ab'.repeat(32)}`;
    const rule = live.use('getV2PartiesParticipant-id', { body: { participantId } });
    await expect(forked({ cache })).rejects.toThrow(
      `it is participant ${participantId}, but the stored data belongs to sandbox::`,
    );
    rule.remove();
    expect((await forked({ cache })).participant.activeContracts()).toHaveLength(7);
  });

  it('if the offset of the stored data is pruned', async () => {
    const cache = await interrupted('pruned');
    const offset = live.participant.ledgerEnd;
    live.token.mint(alice, '1.0');
    live.participant.prune(live.participant.ledgerEnd - 1);
    live.token.mint(alice, '1.0');
    live.participant.prune(live.participant.ledgerEnd - 1);
    await expect(forked({ cache })).rejects.toThrow(
      `the stored data is from offset ${offset}, but the participant has pruned`,
    );
    expect((await forked({ cache, refresh: true })).token.holdings(alice)).toHaveLength(3);
  });
});

it('reports a truncated file in its folder, and reads it again on request', async () => {
  const cache = join(folder(), 'torn');
  await forked({ cache });
  const [name] = readdirSync(cache).filter((each) => each !== 'packages');
  truncateSync(join(cache, name!, 'contracts', '0.gz'), 100);
  await expect(forked({ cache })).rejects.toThrow("'contracts/0' is truncated or missing");
  expect((await forked({ cache, refresh: true })).participant.activeContracts()).toHaveLength(7);
});

describe('faults of the live side are reported', () => {
  const page = 'postV2StateActive-contracts-page';
  const tampered = async () => {
    const answer = await acs(live, live.participant.ledgerEnd);
    const { createdEvent } = answer.activeContracts[1].contractEntry.JsActiveContract;
    const bytes = Buffer.from(createdEvent.createdEventBlob, 'base64');
    const at = bytes.indexOf('EUR');
    bytes.write('USD', at);
    createdEvent.createdEventBlob = bytes.toString('base64');
    return answer;
  };

  it.each([
    ['no token', { token: undefined }, 'It requires a token: use token'],
    ['a wrong token', { token: 'x.y.z' }, 'It does not accept the token, or no longer accepts it.'],
    ['too many contracts', { maxContracts: 6 }, 'it has more than 6 active contracts'],
    [
      'an offset after the ledger end',
      { at: 1_000_000 },
      'offset 1000000 (at, --at) is after its ledger end',
    ],
    [
      'an invalid address',
      { url: 'localhost' },
      "'localhost' is not a URL. Expected the URL of a JSON Ledger API",
    ],
    ['an address without a server', { url: 'http://127.0.0.1:1' }, 'cannot be reached'],
  ])('%s', async (_, options, why) => {
    await expect(forked(options)).rejects.toThrow(why);
  });

  it('a user with too few rights', async () => {
    const less = await live.accessToken({ sub: 'bob' });
    await expect(forked({ token: less })).rejects.toThrow('Name the parties');
    const lines: string[] = [];
    const own = await forked({
      token: less,
      parties: [bob],
      onProgress: (line) => void lines.push(line),
    });
    expect(own.participant.activeContracts({ party: bob })).toHaveLength(
      live.participant.activeContracts({ party: bob }).length,
    );
    expect(lines).toContain('the token may not list its users: the fork has none of them');
  });

  it.each([
    ['an unknown release', 'getV2Version', { version: '3.3.0' }, 'its release is 3.3.0'],
    ['a version without a release', 'getV2Version', { ok: true }, '/version is not a string'],
    [
      'a message that is not JSON',
      'getV2Version',
      '<html>',
      /version was answered with a body that is not JSON: .*Is it a JSON Ledger API\?/,
    ],
    [
      'a package with other contents',
      'getV2PackagesPackage-id',
      'no package',
      'differs from its id',
    ],
  ] as const)('%s', async (_, operation, body, why) => {
    const rule = live.use(operation, { body });
    await expect(forked()).rejects.toThrow(why);
    rule.remove();
  });

  it('a missing package', async () => {
    const rule = live.use('getV2PackagesPackage-id', { status: 404, body: {} });
    await expect(forked()).rejects.toThrow(/\/v2\/packages\/[0-9a-f]{64} was answered with 404/);
    rule.remove();
  });

  it('a changed blob', async () => {
    const body = await tampered();
    const rule = live.use(page, { body });
    await expect(forked()).rejects.toThrow('does not match its blob, which was changed');
    rule.remove();
  });
});

it('rejects options whose values come from the other side', async () => {
  const of = { url: live.url };
  await expect(startCanticle({ fork: of, participants: ['x'] })).rejects.toThrow(
    'participants cannot be used with fork',
  );
  const elsewhere = 'Use startCanticle; or save its world to a file';
  for (const make of [createCanticle, useCanticle])
    expect(() => make({ fork: of })).toThrow(elsewhere);
});

describeWithDars('a fork of real Amulet', ['splice-amulet-0.1.14.dar'], (dar) => {
  it('transfers like the live network, and simulates submissions', async () => {
    const cache = join(folder(), 'checked');
    const there = await startCanticle({ amulet: { dar, automaticRounds: false }, cache });
    open.push(there);
    const [carol, dora] = ['carol', 'dora'].map((hint) =>
      there.participant.allocateParty(hint),
    ) as [string, string];
    there.amulet.tap(carol, '100.0');
    const here = await startCanticle({ fork: { url: there.url, cache: false }, cache });
    open.push(here);
    const held = (of: Canticle, owner: string) =>
      of.amulet.holdings(owner).map(({ payload }) => payload);
    const after = [there, here].map((each) => {
      const offer = each.amulet.transfer({ from: carol, to: dora, amount: '30.0' });
      each.amulet.accept(offer.instruction!, dora);
      return [held(each, carol), held(each, dora), each.participant.ledgerEnd];
    });
    expect(after[0]![1]).toHaveLength(1);
    expect(after[1]).toEqual(after[0]);
  });
});
