/**
 * The flows of the wallet SDK's guide that work with the simplified Amulet, on a LocalNet without Splice's DARs, all at once. Their
 * results equal those on Splice's own code (wallet-sdk-guide.ts). Further tests run clients in separate processes.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import allocations from '../../examples/wallet-sdk/allocations.ts';
import events from '../../examples/wallet-sdk/events.ts';
import firstSteps from '../../examples/wallet-sdk/first-steps.ts';
import hashing from '../../examples/wallet-sdk/hashing.ts';
import ledgerProvider from '../../examples/wallet-sdk/ledger-provider.ts';
import merging from '../../examples/wallet-sdk/merging.ts';
import mergingForOthers from '../../examples/wallet-sdk/merging-for-others.ts';
import offers from '../../examples/wallet-sdk/offers.ts';
import parties from '../../examples/wallet-sdk/parties.ts';
import preapproval from '../../examples/wallet-sdk/preapproval.ts';
import reading from '../../examples/wallet-sdk/reading.ts';
import users from '../../examples/wallet-sdk/users.ts';
import { lookAt, useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { cutWaits, giveLaterNode } from '../support/wallet-sdk.js';
import { answerByLocalnetNames, portsOf } from './by-localnet-names.js';
import { later, MERGES, STANDARD_DARS, TRADES } from './wallet-sdk-guide.js';

jest.setTimeout(120_000);

// The SDK compares rounds with its own clock.
const localnet = useLocalnet({ seed: 6, spliceDars: false, clock: 'wall' });
lookAt(localnet);

const takeBack: (() => void)[] = [];
beforeAll(() => {
  giveLaterNode();
  takeBack.push(answerByLocalnetNames(localnet), cutWaits());
});
afterAll(() => {
  for (const each of takeBack) each();
});

test("runs ten flows of the wallet SDK's guide", async () => {
  const flows = [
    firstSteps(),
    offers(later(localnet)),
    parties(),
    preapproval(),
    merging(),
    users(),
    hashing(),
    ledgerProvider(),
    reading(),
  ];
  await Promise.allSettled(flows);
  // Of one participant they are the validator's user, whose streams end when its rights change.
  const { updateId, update, completion } = await events();
  expect(update).toMatchObject({ update: { Transaction: { value: { updateId } } } });
  expect(completion).toMatchObject({
    completionResponse: { Completion: { value: { updateId, status: { code: 0 } } } },
  });
  expect(await Promise.all(flows)).toEqual([
    { alice: [10_000], bobIsHisKey: true },
    { accepted: [[8_000], [2_000]], givenBack: 8_000, waiting: 0, tooLate: 'DAML_FAILURE' },
    { listed: true, featured: 'app_user_localnet-localparty-1' },
    { held: [[8_000], [2_000]], renewedByDays: 2, left: null },
    { before: 6, after: [120] },
    { master: [true, true], alice: [true, false], bobOfAlice: [false, true, false] },
    { agreed: [true, true, true, true, true], held: [[9_900], [100]] },
    { held: [10_000], prepared: true },
    {
      labels: [['Mint'], ['MergeSplit']],
      sent: true,
      prepared: expect.any(Number),
      reader: ['NA', 1],
      publicKey: true,
    },
  ]);
});

describeWithDars(
  'with packages of other apps that use the token standard',
  STANDARD_DARS,
  (merges, trades) => {
    it('trades, and merges holdings for others', async () => {
      expect(
        await Promise.all([allocations(trades, TRADES), mergingForOthers(merges, MERGES)]),
      ).toEqual([{ alice: 1_920, bob: 2_080 }, [200]]);
    });
  },
);

const root = join(__dirname, '..', '..');
const run = promisify(execFile);
/** Client processes in addition to this one. */
const PROCESSES = Number(process.env['CANTICLE_PROCESSES'] ?? 2);

test('several client processes each run a whole flow', async () => {
  const client = join(root, 'node_modules', '.cache', 'sdk-client.mjs');
  const how = ['--bundle', '--platform=node', '--format=esm', '--packages=external'];
  const esbuild = join(root, 'node_modules', '.bin', 'esbuild');
  await run(esbuild, [join(__dirname, 'sdk-client.ts'), ...how, `--outfile=${client}`]);
  const ports = JSON.stringify([...portsOf(localnet)]);
  const names = Array.from({ length: PROCESSES }, (_, index) => `process-${index}`);
  const results = await Promise.all(
    names.map((name) => run(process.execPath, [client, name, ports], { cwd: root })),
  );
  const parties = results.map(({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1)!));
  expect(parties).toEqual(
    names.map((name) => ({
      alice: expect.stringMatching(`^${name}-alice::`),
      held: [[900], [100]],
    })),
  );
  // Their transactions are on this ledger.
  for (const { alice } of parties) expect(alice).toHold('900');
});
