/** Scripts against a Ledger API, over JSON and over gRPC: what they do there, and what they cannot. */
import { startCanticle, type Canticle } from 'canticle';
import { grpcLedger } from '../../src/assembly/grpc/ledger.js';
import { HttpSide } from '../../src/client/http-side.js';
import { readDar } from '../../src/daml/index.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { runScriptRemotely } from '../../src/script/run-remotely.js';
import { dar } from './world-scripts.js';

const { main, packages } = readDar(dar);
const all = new ScriptPackages(packages);
let canticle: Canticle;
let grpc: ReturnType<typeof grpcLedger>;
let commands = 0;

beforeAll(async () => {
  canticle = await startCanticle({ dars: [dar], grpc: true });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  grpc = grpcLedger(host, Number(port));
});
afterAll(async () => {
  grpc.close();
  await canticle.close();
});

const WAYS = {
  JSON: () => ({ send: new HttpSide(canticle.url).send }),
  gRPC: () => ({ send: grpc.send, values: grpc.values }),
};

describe.each(['JSON', 'gRPC'] as const)('Scripts over %s', (way) => {
  let start: ReturnType<typeof canticle.snapshot>;
  let slept = 0n;
  beforeAll(() => (start = canticle.snapshot()));
  afterEach(() => canticle.revert(start));

  const run = (name: string, argument?: unknown) =>
    runScriptRemotely(all, scriptNamed(main, `Main:${name}`), {
      ...WAYS[way](),
      now: () => 1_000_000n + slept,
      wait: (micros) => {
        slept += micros;
        return Promise.resolve();
      },
      newCommandId: () => `command-${commands++}`,
      userId: 'daml-script',
      argument,
    });

  it('have the same effects as on an in-process network', async () => {
    const party = await run('setup');
    const byApi = canticle.participant.activeContracts();
    canticle.revert(start);
    expect(canticle.runScript('Main:setup')).toBe(party);
    const byNetwork = canticle.participant.activeContracts();
    // Ids follow from how many requests there were.
    const what = (contracts: typeof byApi) =>
      contracts.map(({ templateId, payload, signatories }) => ({
        templateId,
        payload,
        signatories,
      }));
    expect(what(byApi)).toEqual(what(byNetwork));
  });

  it('query, exercise, and query again', async () => {
    expect(await run('renames')).toBe('renamed');
    canticle.revert(start);
    expect(canticle.runScript('Main:renames')).toBe('renamed');
  });

  it('create users and find them', async () => {
    await run('user');
    const { participant } = canticle;
    expect(participant.engine.users.get('amy').primaryParty).toMatch(/^alice::/);
    expect(participant.engine.users.rights('amy')).toMatchObject([{ kind: 'CanActAs' }]);
  });

  it("read the time of the participant's clock, and sleep", async () => {
    expect(await run('sleeps')).toBe('1970-01-01T00:01:01Z');
  });

  it('vet packages, and cannot list them', async () => {
    await run('unvets');
    await expect(run('setup')).rejects.toThrow('PACKAGE_SELECTION_FAILED');
    await expect(run('lists')).rejects.toThrow(
      `listVettedPackages is not supported when running Daml Script over the ${way} API`,
    );
  });

  it('cannot allocate a party on several participants', async () => {
    await expect(run('shared')).rejects.toThrow(
      'Parties on several participants are not allocated over a Ledger API',
    );
  });

  it('fail with the errors of the ledger', async () => {
    await expect(run('refused')).rejects.toThrow(
      /^Script Main:refused failed: Submit failed: DAML_FAILURE: [^]*No, never[^]*\n {2}in main at Main:7:3/,
    );
  });
});
