/**
 * `canticle verify --scenario --against`: a scenario on a Canticle and on a live participant, here another Canticle that asks for
 * tokens and whose controls are not used. It reports no differences without changes, and finds each planted change at its place.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startCanticle, type Canticle } from '../../../src/index.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

const SCENARIO = `
name: A little of all that a participant has
synchronizers:
  - { alias: global, identifier: global-domain }
  - app-synchronizer
parties: [bank, alice, bob]
users:
  - { user: alice-app, primaryParty: alice, actAs: alice }
steps:
  - create: canticle-quickstart:Quickstart.Iou:Iou
    by: [bank, alice]
    with: { issuer: $bank, owner: $alice, currency: EUR, amount: '100.0', observers: [$bob] }
    synchronizer: global
    as: iou
  - expect: { contract: $iou, is: active, seenBy: [alice, bob] }
  - { unassign: $iou, to: app-synchronizer, by: alice, as: move }
  - { assign: $move, by: alice }
  - { exercise: $iou, choice: Iou_Split, with: { splitAmount: 25 }, by: alice, as: parts }
  - { archive: $iou, refused: CONTRACT_NOT_FOUND }
  - { archive: $parts._1 }
  - { grant: alice-app, readAs: bob }
  - { revoke: alice-app, party: bob }
  - repeat: 2
    steps:
      - create: canticle-quickstart:Quickstart.Iou:Iou
        by: bank
        with: { issuer: $bank, owner: $bank, currency: USD, amount: $index, observers: [] }
  - snapshot: here
  - { advance: PT1H }
  - { mint: 5, to: alice, as: coin }
  - expect:
      - { contract: $coin, is: active }
      - { activeContracts: 1, of: bob }
      - { party: bob, sees: $iou, updates: 4, hostedOn: sandbox }
`;

const folder = useTemporaryFolder();
const services = [{ type: 'unsafe-jwt-hmac-256', secret: 'x' }] as const;
let file: string;
let live: Canticle;
let token: string;

beforeAll(async () => {
  file = join(folder(), 'scenario.yaml');
  writeFileSync(file, SCENARIO);
  live = await startCanticle({
    seed: 77,
    time: '2027-05-01T00:00:00Z',
    auth: { services },
    synchronizers: ['app-synchronizer', { alias: 'global', identifier: 'elsewhere' }],
    participants: ['node-of-somebody'],
  });
  token = await live.accessToken({ sub: 'ledger-api-user' });
  live.participant.allocateParty('alice');
});
afterAll(() => live.close());

type Json = any;

async function verified(url: string, ...flags: string[]) {
  const ran = await runHere(
    ...['verify', '--scenario', file, '--against', url, '--json', ...flags],
  );
  const [report] = JSON.parse(ran.stdout) as Json[];
  const allExchanges: Json[] = report.operations.flatMap(({ exchanges }: Json) => exchanges);
  return { ...ran, report, allExchanges };
}

it('finds no differences on another network, twice, and lists the steps that a participant cannot execute', async () => {
  for (let round = 0; round < 2; round++) {
    const { status, stderr, report, allExchanges } = await verified(live.url, '--token', token);
    expect(allExchanges.filter(({ differences }) => differences)).toEqual([]);
    expect([status, stderr]).toEqual([0, '']);
    expect(allExchanges.map(({ request, why }) => [request.replace(/, line.*/, ''), why])).toEqual([
      ['step 11 (snapshot)', 'a real network cannot revert'],
      ['step 12 (advance)', 'no client can change the time of a real network'],
      ['step 13 (mint)', 'only Canticle has the test token'],
      [
        'step 14 (expect)',
        "No earlier step has the name 'coin'. The step that sets it (mint) was skipped or rejected.",
      ],
    ]);
    expect(report).toMatchObject({ equal: 34, different: 0, notComparable: 4 });
    expect(report.operations.flatMap(({ unfitting }: Json) => unfitting)).toEqual([]);
  }
  expect(live.requests.list({ api: 'control' })).toEqual([]);
});

it('works without tokens, and maps the only synchronizer to the name in the scenario', async () => {
  const open = await startCanticle({ seed: 2, synchronizers: ['the-only-one'] });
  const { status, allExchanges } = await verified(open.url);
  expect(status).toBe(0);
  expect(allExchanges.filter(({ differences }) => differences)).toEqual([]);
  expect(allExchanges[0].why).toBe("the participant is not connected to a synchronizer 'global'");
  await open.close();
});

interface Planted {
  /** Part of the path, and of the request's body if several requests have that path. */
  readonly of: string;
  readonly with?: string;
  /** Changes the answer; returns another status, if any. */
  readonly change: (body: Json) => number | string | void;
  /** The place of the first difference. */
  readonly at: string;
}

const created = (body: Json) => body.transaction.events[0].CreatedEvent;
const submit = '/v2/commands/submit-and-wait-for-transaction';
const IOU = 'createArguments';
const PLANTED: Readonly<Record<string, Planted>> = {
  'another status': { of: '/v2/users', change: () => 201, at: 'status' },
  'a refusal': { of: '/v2/users', change: () => 403, at: 'status' },
  'another value': {
    of: submit,
    with: IOU,
    change: (body) => void (created(body).createArgument.amount = '99.0000000000'),
    at: '/transaction/events/0/CreatedEvent/createArgument/amount',
  },
  'a missing member': {
    of: submit,
    with: IOU,
    change: (body) => void delete created(body).packageName,
    at: '/transaction/events/0/CreatedEvent/packageName',
  },
  'an extra member': {
    of: submit,
    with: IOU,
    change: (body) => void (created(body).more = 1),
    at: '/transaction/events/0/CreatedEvent/more',
  },
  'another party': {
    of: submit,
    with: IOU,
    change: (body) => void (created(body).observers = [created(body).signatories[0]]),
    at: '/transaction/events/0/CreatedEvent/observers/0',
  },
  'a missing observer': {
    of: submit,
    with: IOU,
    change: (body) => void created(body).observers.pop(),
    at: '/transaction/events/0/CreatedEvent/observers/0',
  },
  'another error code': {
    of: submit,
    with: '"Archive"',
    change: (body) => void (body.code = 'CONTRACT_NOT_ACTIVE'),
    at: '/code',
  },
  'another reassignment counter': {
    of: '/v2/commands/submit-and-wait-for-reassignment',
    change: (body) =>
      void (body.reassignment.events[0].JsUnassignedEvent.value.reassignmentCounter = 7),
    at: '/reassignment/events/0/JsUnassignedEvent/value/reassignmentCounter',
  },
  'an invalid time': {
    of: submit,
    with: IOU,
    change: (body) => void (body.transaction.effectiveAt = 'today'),
    at: '/transaction/effectiveAt',
  },
  'a missing contract': {
    of: '/v2/state/active-contracts',
    change: (body) => void body.pop(),
    at: '/0',
  },
  'one id for two contracts': {
    of: submit,
    with: '"Iou_Split"',
    change: ({ transaction: { events } }) => {
      const [one, two] = events.flatMap((each: Json) => each.CreatedEvent ?? []);
      two.contractId = one.contractId;
    },
    at: '/transaction/events/2/CreatedEvent/contractId',
  },
  'a missing update': { of: '/v2/updates', change: (body) => void body.pop(), at: '/4' },
  'a missing right': {
    of: '/rights',
    with: 'CanReadAs',
    change: (body) => void (body.newlyGrantedRights = []),
    at: '/newlyGrantedRights/0',
  },
};

/** The live participant behind a proxy that changes the first such answer, or replaces it. */
async function changing(of: string, words: string, change: (body: Json) => number | string | void) {
  let isDone = false;
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const { authorization, 'content-type': type } = request.headers;
    const headers = {
      ...(authorization && { authorization }),
      ...(type && { 'content-type': type }),
    };
    const path = request.url!.split('?')[0]!;
    const sentRequest = {
      method: request.method!,
      headers,
      ...(sent.length > 0 && { body: sent }),
    };
    const answer = await fetch(live.url + request.url, sentRequest);
    let [status, text] = [answer.status, await answer.text()];
    if (!isDone && request.method !== 'GET' && path.endsWith(of) && sent.includes(words)) {
      isDone = true;
      const body = JSON.parse(text);
      const other = change(body);
      if (other === 'closed') return (request.socket.destroy(), server.close());
      if (typeof other === 'number') status = other;
      text = JSON.stringify(body);
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

it.each(Object.entries(PLANTED))(
  'finds %s',
  async (_name, { of, with: words = '', change, at }) => {
    const { url, close } = await changing(of, words, change);
    const { status, allExchanges } = await verified(url, '--token', token);
    close();
    const different = allExchanges.filter(({ differences }) => differences);
    expect(different[0]?.differences[0].at).toBe(at);
    expect(status).toBe(1);
  },
);

it('validates the answers of the live participant against the schema, and reports by operation, as lines and as JUnit', async () => {
  const { url, close } = await changing('/v2/users', '', (body) => void (body.user = 7));
  const junit = join(folder(), 'verified.xml');
  const flags = ['--token', token, '--junit', junit];
  const { status, stdout } = await runHere(
    ...['verify', '--scenario', file, '--against', url, ...flags],
  );
  close();
  expect(status).toBe(1);
  expect(stdout).toContain('  ✗ ledger postV2Users: 1 different\n');
  expect(stdout).toMatch(
    /POST \/v2\/users \(step 1 of users \(user\), line 8\): \/user: Canticle .*, live 7/,
  );
  expect(stdout).toMatch(/exchange \d+: the live response does not match the schema: \/user/);
  expect(readFileSync(junit, 'utf8')).toMatch(
    /failures="1"[^]*postV2Users[^]*<failure message="1 different"/,
  );
});

it('ends with 2 if the live participant stops answering, or no longer accepts the token', async () => {
  for (const [change, why] of [
    [() => 'closed', 'It stopped answering: '],
    [() => 401, 'It does not accept the token, or no longer accepts it. '],
  ] as const) {
    const { url, close } = await changing(submit, IOU, change);
    const { status, stderr, report } = await verified(url, '--token', token);
    close();
    expect(status).toBe(2);
    expect(stderr).toContain(`failed to verify against ${url}/: ${why}`);
    expect(stderr).toContain(`The last request was POST ${submit} (step 1 (create), line 10)`);
    expect(report.equal).toBeGreaterThan(10);
    expect(report.operations.at(-1).operation).toContain('Submit-and-wait-for-transaction');
  }
});

it('reports why it cannot send a request to a live participant', async () => {
  const user = await live.accessToken({ sub: 'alice-app' });
  live.participant.engine.users.create({ id: 'nobody', primaryParty: undefined }, []);
  const nobody = await live.accessToken({ sub: 'nobody' });
  const other = await changing('none', '', () => undefined);
  const old = createServer((_, response) => response.end('{"version":"3.3.0"}'));
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  const oldUrl = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
  for (const [flags, why] of [
    [[live.url], 'It requires a token: use --token or --access-token-file.'],
    [[live.url, '--token', `${user}x`], 'It does not accept the token.'],
    [[live.url, '--token', nobody], 'the user nobody of the token is not a participant admin'],
    [[oldUrl], 'its release is 3.3.0, but Canticle supports only 3.4, 3.5, 3.6, 3.7.'],
    [['http://127.0.0.1:1'], 'ECONNREFUSED'],
    [[live.url, '--load', 'x'], '--load cannot be used with a scenario on both sides'],
  ] as const) {
    const { status, stderr } = await runHere('verify', '--scenario', file, '--against', ...flags);
    expect(stderr).toContain(why);
    expect(status).toBe(1);
  }
  other.close();
  old.close();
  const { stderr } = await runHere('verify', '--against', live.url);
  expect(stderr).toContain('name recordings, or use --scenario and --against');
});
