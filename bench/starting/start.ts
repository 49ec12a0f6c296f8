/** The time from the start to the first answer: in-process, and from the command line. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { createCanticle } from 'canticle';
import { IOU, iou } from '../measure/iou.js';
import { figure, machine, median, middle, milliseconds, ratio } from '../measure/report.js';

const ROOT = process.cwd();
const BIN = `${ROOT}/bin/canticle.js`;
const PACKAGE = `${ROOT}/dist/esm/index.js`;
const run = promisify(execFile);

const IMPORT_AND_ANSWER = `
  const { createCanticle } = await import(${JSON.stringify(PACKAGE)});
  const canticle = createCanticle();
  const { status } = await canticle.handle({ method: 'GET', path: '/v2/version' });
  if (status !== 200) throw new Error(String(status));
`;

const node = (code: string) =>
  run(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });

async function cliUntilReady(more: readonly string[] = []): Promise<void> {
  const child = spawn(process.execPath, [BIN, 'sandbox', '--json-api-port', '0', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout)
    if (String(chunk).includes('Canton sandbox is ready.')) break;
  // A normal exit, as users end it: it stores the V8 code cache.
  child.kill('SIGINT');
  await once(child, 'exit').catch(() => undefined);
}

/** Snapshot and revert of a change of one contract, with this number of other contracts. */
async function snapshotAndRevert(contracts: number): Promise<{ snapshot: number; revert: number }> {
  const { participant, ...rest } = create(contracts);
  const snapshot = await median(31, () => rest.canticle.snapshot());
  const mark = rest.canticle.snapshot();
  const revert = await median(31, () => {
    participant.create(IOU, rest.payload, { actAs: rest.actAs });
    rest.canticle.revert(mark);
  });
  return { snapshot, revert };
}

function create(contracts: number) {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  const [bank, alice] = ['bank', 'alice'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const payload = iou(bank, alice);
  const actAs = [bank, alice];
  for (let n = 0; n < contracts; n++) participant.create(IOU, payload, { actAs });
  return { canticle, participant, payload, actAs };
}

machine();
const bare = await median(7, () => node(''));
figure('node itself', bare, 'ms');
const answer = await median(7, () => node(IMPORT_AND_ANSWER));
figure('import and first answer, above node itself', answer - bare, 'ms');
// The two take turns, so that other load affects both.
const starts: Record<'json' | 'grpc', number[]> = { json: [], grpc: [] };
for (const more of [[], ['--ledger-api-port', '0']]) await cliUntilReady(more);
for (let round = 0; round < 9; round++) {
  starts.json.push(await milliseconds(() => cliUntilReady()));
  starts.grpc.push(await milliseconds(() => cliUntilReady(['--ledger-api-port', '0'])));
}
const ready = middle(starts.json);
figure('command line, start to ready', ready, 'ms');
figure('the same with gRPC', middle(starts.grpc), 'ms');
const more = middle(starts.grpc.map((each, index) => each - starts.json[index]!));
figure('what gRPC adds', more, 'ms');
ratio('command line to node itself', ready / bare);
await median(5, () => createCanticle());
figure('another instance in the same process', await median(15, () => createCanticle()), 'ms');
for (const contracts of [100, 100_000]) {
  const { snapshot, revert } = await snapshotAndRevert(contracts);
  figure(`snapshot with ${contracts} contracts`, snapshot * 1000, 'µs');
  figure(`create one and revert with ${contracts} contracts`, revert * 1000, 'µs');
}
