/**
 * Prepare, sign outside, execute and wait: rounds per second, in-process and over HTTP, one after the other and
 * eight at a time. The client's own signing is timed separately, because it is not the server's work.
 */
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createCanticle, startCanticle } from 'canticle';
import { IOU, iou } from './measure/iou.js';
import { Connection } from './measure/load.js';
import { figure, machine, middle, milliseconds, ratio } from './measure/report.js';
import { announce, startServer, type Ready } from './measure/server.js';

const ROUNDS = 9;
/** Warm-up rounds. */
const WARM_UP = 4;
const COUNT = 400;
const CONCURRENCY = 8;

interface Site extends Ready {
  readonly synchronizer: string;
}

/** Returns the body of an answer with status 200. */
type Post = (path: string, body: object) => Promise<Record<string, unknown>>;

async function serve(): Promise<void> {
  const canticle = await startCanticle({ seed: 1 });
  announce<Site>({ port: canticle.port, synchronizer: canticle.network.synchronizers[0]!.id });
}

/** An external party, who holds its own key. */
async function onboard(post: Post, synchronizer: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyData = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const topology = await post('/v2/parties/external/generate-topology', {
    synchronizer,
    partyHint: 'alice',
    publicKey: {
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
      keyData,
    },
  });
  const { partyId: party, publicKeyFingerprint: signedBy, multiHash } = topology;
  const sign = (hash: unknown) => ({
    format: 'SIGNATURE_FORMAT_CONCAT',
    signature: signBytes(null, Buffer.from(String(hash), 'base64'), privateKey).toString('base64'),
    signedBy,
    signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
  });
  await post('/v2/parties/external/allocate', {
    synchronizer,
    onboardingTransactions: (topology.topologyTransactions as string[]).map((transaction) => ({
      transaction,
    })),
    multiHashSignatures: [sign(multiHash)],
  });
  return { party: String(party), sign };
}

let commands = 0;

/** Rounds per second. @param ways the functions that post, one for each parallel client */
async function rate(
  ways: readonly Post[],
  synchronizer: string,
): Promise<{ all: number; signing: number }> {
  const { party, sign } = await onboard(ways[0]!, synchronizer);
  const createArguments = iou(party, party);
  const prepareAndExecute = async (post: Post): Promise<unknown> => {
    const number = (commands += 1);
    const prepared = await post('/v2/interactive-submission/prepare', {
      userId: 'bench',
      commandId: `command-${number}`,
      commands: [{ CreateCommand: { templateId: IOU, createArguments } }],
      actAs: [party],
      synchronizerId: '',
      packageIdSelectionPreference: [],
    });
    const { preparedTransaction, preparedTransactionHash, hashingSchemeVersion } = prepared;
    await post('/v2/interactive-submission/executeAndWait', {
      preparedTransaction,
      hashingSchemeVersion,
      partySignatures: { signatures: [{ party, signatures: [sign(preparedTransactionHash)] }] },
      deduplicationPeriod: { Empty: {} },
      submissionId: `submission-${number}`,
      userId: 'bench',
    });
    return preparedTransactionHash;
  };
  const hash = await prepareAndExecute(ways[0]!);
  const times: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    let left = COUNT;
    const time = await milliseconds(() =>
      Promise.all(
        ways.map(async (post) => {
          while (left-- > 0) await prepareAndExecute(post);
        }),
      ),
    );
    if (round >= 0) times.push(time);
  }
  const signing = await milliseconds(() => {
    for (let n = 0; n < COUNT; n += 1) sign(hash);
  });
  return { all: (COUNT * 1000) / middle(times), signing: (COUNT * 1000) / signing };
}

async function inProcess(): Promise<number> {
  const canticle = createCanticle({ seed: 1 });
  const post: Post = async (path, body) => {
    const { status, json } = await canticle.handle({ path, body });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json())}`);
    return json() as Record<string, unknown>;
  };
  return (await rate([post], canticle.network.synchronizers[0]!.id)).all;
}

async function overHttp(count: number): Promise<{ all: number; signing: number }> {
  const server = await startServer<Site>(fileURLToPath(import.meta.url), ['serve']);
  const connections = Array.from({ length: count }, () => new Connection(server.ready.port));
  try {
    await Promise.all(connections.map(({ opened }) => opened));
    const ways = connections.map(
      (connection): Post =>
        async (path, body) =>
          JSON.parse(await connection.post(path, JSON.stringify(body))) as Record<string, unknown>,
    );
    return await rate(ways, server.ready.synchronizer);
  } finally {
    for (const connection of connections) connection.close();
    server.stop();
  }
}

async function main(): Promise<void> {
  machine();
  const local = await inProcess();
  const { all: http, signing } = await overHttp(1);
  const { all: shared } = await overHttp(CONCURRENCY);
  figure('prepare, sign, execute and wait, in-process', local, 'rounds/s');
  figure('prepare, sign, execute and wait, over one connection', http, 'rounds/s');
  figure('prepare, sign, execute and wait, over 8 connections', shared, 'rounds/s');
  figure('signing alone', signing, 'signatures/s');
  ratio('in-process to HTTP', local / http);
}

await (process.argv[2] === 'serve' ? serve() : main());
