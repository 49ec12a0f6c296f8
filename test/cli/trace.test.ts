/** `canticle trace` against a running sandbox: the tree, JSON, pictures, and the differences of two traces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCanticle, type Canticle } from 'canticle';
import { buildDar } from '../support/daml/dar-builder.js';
import { e } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { probeModule } from '../support/daml/lf-probe.js';
import { t } from '../support/daml/lf-types.js';
import { IOU } from '../support/ledger.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from './in-process.js';

const folder = useTemporaryFolder();
let canticle: Canticle;
let bank: string;
let alice: string;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 1 });
  [bank, alice] = ['bank', 'alice'].map((hint) => canticle.participant.allocateParty(hint)) as [
    string,
    string,
  ];
});
afterAll(() => canticle.close());

/** A split of an Iou. @returns its update id */
function split(currency: string, splitAmount: string): string {
  const payload = { issuer: bank, owner: alice, currency, amount: '10.0', observers: [] };
  const iou = canticle.participant.create(IOU, payload, { actAs: [bank, alice] });
  return canticle.participant.exercise(IOU, iou, 'Iou_Split', { splitAmount }, { actAs: [alice] })
    .updateId;
}
const trace = (...argv: string[]) => runHere('trace', '--url', canticle.url, ...argv);

it('shows an update as a tree, and escapes control characters', async () => {
  const { status, stdout } = await trace(split('\u001b[31m\u202eEUR', '4.0'));
  expect(status).toBe(0);
  expect(stdout).toContain('✓ exercise Quickstart.Iou:Iou Iou_Split on 00');
  expect(stdout).toMatch(/^├─ ✓ create Quickstart.Iou:Iou on \S+ #1$/m);
  expect(stdout).toContain('needs alice; has alice');
  expect(stdout).not.toContain('missing');
  expect(stdout).toContain('seen by alice (signatory, controller), bank (signatory)');
  expect(stdout).toContain('\\u202eEUR');
  expect(/[\u001b\u202e]/.test(stdout)).toBe(false);
});

it('names the parties whose authority a refused submission lacks', async () => {
  const createArguments = { issuer: bank, owner: alice, currency: 'EUR', amount: '1.0' };
  const answer = await fetch(`${canticle.url}/v2/commands/submit-and-wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      commandId: 'refused',
      userId: 'participant_admin',
      actAs: [bank],
      commands: [
        {
          CreateCommand: {
            templateId: IOU,
            createArguments: { ...createArguments, observers: [] },
          },
        },
      ],
    }),
  });
  expect(answer.status).toBe(400);
  const { stdout } = await trace('--request', 'latest');
  expect(stdout).toMatch(/needs alice, bank; has bank\n.*missing alice\n/);
});

it('prints the same trace as the control API, as JSON, and finds it by command id', async () => {
  const updateId = split('EUR', '4.0');
  const { stdout } = await trace(updateId, '--json');
  const printed = JSON.parse(stdout);
  expect(printed).toEqual(canticle.trace(updateId));
  const { commandId } = printed.submission;
  expect((await trace('--command-id', commandId, '--json')).stdout).toBe(stdout);
});

it('draws the actions of parties and the interpreter steps, with the same bytes each time', async () => {
  const updateId = split('EUR', '4.0');
  const files = ['a.svg', 'b.svg', 'flame.svg'].map((name) => join(folder(), name));
  await trace(updateId, '--svg', files[0]!, '--flame', files[2]!);
  await trace(updateId, '--svg', files[1]!);
  const [first, second, flame] = files.map((file) => readFileSync(file, 'utf8'));
  expect(first).toBe(second);
  expect(first).toContain('<title>exercise Quickstart.Iou:Iou Iou_Split</title>');
  expect(first).toContain('>exercise Iou Iou_Split</text>');
  for (const picture of [first, flame]) expect(picture).toMatch(/^<svg xmlns=[^]*<\/svg>\n$/);
});

it('prints the differences of two traces', async () => {
  const [one, same, other] = [split('EUR', '4.0'), split('EUR', '4.0'), split('EUR', '3.0')];
  expect(await trace(one, '--diff', same)).toMatchObject({ status: 0, stdout: '[]\n' });
  const { status, stdout } = await trace(one, '--diff', other);
  expect(status).toBe(1);
  const changes = JSON.parse(stdout);
  expect(changes.map((each: any) => [each.change, each.before])).toEqual([
    ['changed', 0],
    ['changed', 1],
    ['changed', 2],
  ]);
  expect(changes[0].fields[0]).toMatchObject({
    field: 'argument',
    before: { splitAmount: '4.0000000000' },
    after: { splitAmount: '3.0000000000' },
  });
});

it.each([
  [['1220ab'], 'There is no update 1220ab.'],
  [[], 'pass an update id, --command-id or --request.'],
  [['1220ab', '--request', 'latest'], 'pass an update id'],
])('fails for the arguments %j', async (argv, message) => {
  const { status, stderr } = await trace(...argv);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
});

/** `down n` calls itself n times; `twice n` calls it for n and for n + 1; the choice asks `twice 9`, or fails behind it. */
function recursion() {
  const INT = t.arrow(t.int64, t.int64);
  const n = e.var('n');
  const down = (of: Parameters<typeof e.call>[1]) => e.call(e.value('Main:down'), of);
  const isZero = e.call(e.builtin('EQUAL', t.int64), n, e.int(0));
  const less = e.call(e.builtin('SUB_INT64'), n, e.int(1));
  const more = e.call(e.builtin('ADD_INT64'), n, e.int(1));
  const twice = e.call(e.value('Main:twice'), e.int(9));
  const values = {
    down: { type: INT, expression: e.lambda({ n: t.int64 }, e.if(isZero, n, down(less))) },
    twice: {
      type: INT,
      expression: e.lambda({ n: t.int64 }, e.call(e.builtin('ADD_INT64'), down(n), down(more))),
    },
  };
  const encoded = encodePackage({
    name: 'recursion',
    version: '1.0.0',
    modules: {
      Main: probeModule(
        {
          Ask: { type: t.int64, value: twice },
          Fail: { type: t.int64, value: e.call(e.builtin('DIV_INT64'), e.int(1), twice) },
        },
        { values },
      ),
    },
  });
  const { participant } = canticle;
  participant.uploadDar(buildDar(encoded));
  const actAs = [participant.allocateParty('owner')];
  const template = '#recursion:Main:Probe';
  const probe = participant.create(template, { owner: actAs[0]! }, { actAs });
  return (choice: string) => participant.exercise(template, probe, choice, {}, { actAs });
}

it('draws each Daml function with a width of its number of steps, also for a refused command', async () => {
  const exercise = recursion();
  const { updateId } = exercise('Ask');
  const profile = canticle.profile(updateId);
  const rows = profile.functions.map(({ name, depth, steps, own }) => [name, depth, steps, own]);
  // One for each call: 10 and 11 of `down`, of `twice`, of the choice.
  expect(rows).toEqual([
    ['Main:Probe Ask', 0, 23, 1],
    ['Main:twice', 1, 22, 1],
    ['Main:down', 2, 21, 21],
  ]);
  expect(profile.steps).toBe(23);
  const answer = await fetch(`${canticle.url}/canticle/v1/traces/${updateId}/profile`);
  expect(await answer.json()).toEqual(profile);

  const file = join(folder(), 'functions.svg');
  expect((await trace(updateId, '--flame', file)).status).toBe(0);
  const bars = readFileSync(file, 'utf8').matchAll(
    /<title>([^<]*)<\/title><rect x="0" y="\d+" width="(\d+)"/g,
  );
  expect([...bars].map(([, title, width]) => [title, Number(width)])).toEqual([
    ['Main:Probe Ask: 23 steps, 1 of its own', 1200],
    ['Main:twice: 22 steps, 1 of its own', Math.round((1200 * 22) / 23)],
    ['Main:down: 21 steps, 21 of its own', Math.round((1200 * 21) / 23)],
  ]);

  let refused: unknown;
  try {
    exercise('Fail');
  } catch (error) {
    refused = error;
  }
  expect(canticle.profile(refused as Error).functions.at(-1)).toMatchObject({
    name: 'Main:down',
    own: 21,
  });
});
