/**
 * submit-and-wait over HTTP, with authorization off and on. Compares it with a default Express route and a bare
 * node:http server that answer a constant. Each server is a separate process. The client, its bodies and the number
 * of connections are the same for all. They take turns, round by round, so that other load affects all of them
 * equally.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startCanticle, type AuthService, type Canticle } from 'canticle';
import express from 'express';
import { exportJWK, SignJWT } from 'jose';
import { IOU, iou, SUBMIT_AND_WAIT } from './measure/iou.js';
import { run } from './measure/load.js';
import { figure, machine, middle, ratio } from './measure/report.js';
import { announce, startServer, type Ready, type RunningServer } from './measure/server.js';

const ROUNDS = 9;
/** Warm-up rounds. */
const WARM_UP = 4;
const REQUESTS = 1000;
const CONCURRENCY = 8;
const USER = 'bench';
const CONSTANT = JSON.stringify({ updateId: `1220${'0'.repeat(64)}`, completionOffset: 1 });

const SERVERS = {
  open: 'Canticle',
  HS256: 'Canticle with HS256 tokens',
  RS256: 'Canticle with RS256 tokens by key set',
  express: 'express.json() and a constant',
  node: 'node:http and a constant',
} as const;
type Kind = keyof typeof SERVERS;
const KINDS = Object.keys(SERVERS) as Kind[];

interface Site extends Ready {
  readonly bank?: string;
  readonly alice?: string;
  readonly token?: string;
}

async function serve(kind: Kind): Promise<void> {
  if (kind === 'express') return serveExpress();
  if (kind === 'node') return serveNode();
  const { services, sign } = await authorization(kind);
  const canticle = await startCanticle({ seed: 1, auth: services && { services } });
  const [bank, alice] = ['bank', 'alice'].map((hint) => canticle.participant.allocateParty(hint));
  const admin = await sign?.('participant_admin');
  if (admin !== undefined) await createUser(canticle, admin, [bank!, alice!]);
  announce<Site>({ port: canticle.port, bank, alice, token: await sign?.(USER) });
}

function serveExpress(): void {
  const app = express();
  app.use(express.json());
  app.post(SUBMIT_AND_WAIT, (_request, response) => void response.json(JSON.parse(CONSTANT)));
  listening(app.listen(0, '127.0.0.1'));
}

function serveNode(): void {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.setHeader('content-type', 'application/json').end(CONSTANT));
  });
  listening(server.listen(0, '127.0.0.1'));
}

function listening(server: Server): void {
  server.on('listening', () => announce({ port: (server.address() as AddressInfo).port }));
}

interface Authorization {
  readonly services?: readonly AuthService[];
  readonly sign?: (sub: string) => Promise<string>;
}

async function authorization(kind: Kind): Promise<Authorization> {
  const jwt = (sub: string): SignJWT =>
    new SignJWT({ sub, scope: 'daml_ledger_api' }).setIssuedAt().setExpirationTime('1h');
  if (kind === 'HS256') {
    const secret = 'unsafe';
    const key = new TextEncoder().encode(secret);
    return {
      services: [{ type: 'unsafe-jwt-hmac-256', secret }],
      sign: (sub) => jwt(sub).setProtectedHeader({ alg: 'HS256' }).sign(key),
    };
  }
  if (kind !== 'RS256') return {};
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = 'bench';
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] };
  return {
    services: [{ type: 'jwt-jwks', keys }],
    sign: (sub) => jwt(sub).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
  };
}

async function createUser(
  canticle: Canticle,
  token: string,
  parties: readonly string[],
): Promise<void> {
  const { status } = await canticle.handle({
    path: '/v2/users',
    headers: { authorization: `Bearer ${token}` },
    body: {
      user: { id: USER, isDeactivated: false, primaryParty: '', identityProviderId: '' },
      rights: parties.map((party) => ({ kind: { CanActAs: { value: { party } } } })),
    },
  });
  if (status !== 200) throw new Error(`The user was not made: ${status}.`);
}

type Bodies = (site: Site, id: string) => string;

/** One command. Servers without parties get texts of the same length. */
function commands({ bank, alice }: Site, commandId: string, command: Command): string {
  const fingerprint = `1220${'0'.repeat(64)}`;
  const issuer = bank ?? `bank::${fingerprint}`;
  const owner = alice ?? `alice::${fingerprint}`;
  return JSON.stringify({
    commands: [command(iou(issuer, owner))],
    commandId,
    userId: USER,
    actAs: [issuer, owner],
  });
}

type Command = (createArguments: object) => object;

const create: Bodies = (site, id) =>
  commands(site, id, (createArguments) => ({
    CreateCommand: { templateId: IOU, createArguments },
  }));

const createAndExercise: Bodies = (site, id) =>
  commands(site, id, (createArguments) => ({
    CreateAndExerciseCommand: {
      templateId: IOU,
      createArguments,
      choice: 'Iou_Split',
      choiceArgument: { splitAmount: '4.0' },
    },
  }));

/** The result of one server in one round. */
interface Turn {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of the server's processor time, per request. */
  readonly cpu: number;
}

let sent = 0;

async function turn({ ready, cpu }: RunningServer<Site>, bodies: Bodies): Promise<Turn> {
  const { port, token } = ready;
  const before = await cpu();
  const rate = await run({
    port,
    path: SUBMIT_AND_WAIT,
    requests: REQUESTS,
    concurrency: CONCURRENCY,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: () => bodies(ready, `command-${(sent += 1)}`),
  });
  return { rate, cpu: ((await cpu()) - before) / REQUESTS };
}

type Turns = Record<Kind, Turn[]>;

async function rounds(
  servers: ReadonlyMap<Kind, RunningServer<Site>>,
  bodies: Bodies,
): Promise<Turns> {
  const turns = Object.fromEntries(KINDS.map((kind) => [kind, [] as Turn[]])) as Turns;
  for (let round = 0; round < WARM_UP; round += 1)
    for (const server of servers.values()) await turn(server, bodies);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [kind, server] of servers) turns[kind].push(await turn(server, bodies));
  return turns;
}

/** The median of the rounds' ratios. */
const against = (turns: Turns, kind: Kind, other: Kind): number =>
  middle(turns[kind].map(({ rate }, round) => rate / turns[other][round]!.rate));

const leastCpu = (turns: readonly Turn[]): number => Math.min(...turns.map(({ cpu }) => cpu));

function report(title: string, turns: Turns): void {
  for (const kind of KINDS) {
    figure(`${title}, ${SERVERS[kind]}`, middle(turns[kind].map(({ rate }) => rate)), 'requests/s');
    figure('  processor time of the server', leastCpu(turns[kind]), 'µs/request');
  }
  for (const kind of ['open', 'HS256', 'RS256'] as const) {
    const name = `${title}, ${SERVERS[kind]}`;
    ratio(`${name} to Express`, against(turns, kind, 'express'), { min: 1 });
    ratio(`${name} to node:http`, against(turns, kind, 'node'));
    const cpu = leastCpu(turns[kind]) / leastCpu(turns.express);
    ratio(`${name} to Express, by processor time`, cpu, { max: 1 });
  }
}

async function main(): Promise<void> {
  machine();
  const script = fileURLToPath(import.meta.url);
  const servers = new Map<Kind, RunningServer<Site>>();
  try {
    for (const kind of KINDS) servers.set(kind, await startServer<Site>(script, [kind]));
    report('submit-and-wait of a create', await rounds(servers, create));
    report('submit-and-wait of a create and exercise', await rounds(servers, createAndExercise));
  } finally {
    for (const server of servers.values()) server.stop();
  }
}

const kind = process.argv[2] as Kind | undefined;
await (kind === undefined ? main() : serve(kind));
