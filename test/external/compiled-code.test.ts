/** External parties and compiled Daml: what is caught and rolled back is shown to the signer, hashed and executed as well. */
import {
  decodePreparedTransaction,
  hashPreparedTransaction,
} from '@canton-network/core-tx-visualizer';
import { buildDar } from '../support/dar-builder.js';
import { e, u, type Code } from '../support/lf-code.js';
import { create, exercise, startLedgerApi, type LedgerApi } from '../support/ledger-api.js';
import { encodePackage, type ModuleSpec } from '../support/lf-encoder.js';
import { OWNER, probeModule, type Question } from '../support/lf-probe.js';
import { t, type LfTypeSpec } from '../support/lf-types.js';
import { onboard, sign, type ExternalParty } from './external-party.js';

const ERR = t.con('Main:Err');
const ITEM = t.con('Main:Item');
const owners = e.list(t.party, [e.field(ITEM, 'owner', e.var('this'))]);
const fail = e.throw(t.builtin(17, t.unit), ERR, e.record(ERR, { code: e.int(1) }));
/** The same update, for what it does alone. */
const discard = (type: LfTypeSpec, update: Code) =>
  u.block([[undefined, type, update]], u.pure(t.unit, e.unit));
const item = (label: string) =>
  discard(
    t.contractId(ITEM),
    u.create('Main:Item', e.record(ITEM, { owner: OWNER, label: e.text(label) })),
  );
const attempt = (body: Code) =>
  u.tryCatch(t.unit, body, 'x', e.some(t.builtin(17, t.unit), u.pure(t.unit, e.unit)));
const sequence = (...steps: Code[]) =>
  u.block(
    steps.map((step) => [undefined, t.unit, step] as const),
    u.pure(t.unit, e.unit),
  );
const lookAtMyself = discard(t.con('Main:Probe'), u.fetch('Main:Probe', e.var('self')));

const questions: Readonly<Record<string, Question>> = {
  Succeeds: { type: t.unit, update: sequence(attempt(sequence(item('first'))), item('second')) },
  RollsBackAFetch: {
    type: t.unit,
    update: sequence(attempt(sequence(lookAtMyself, fail)), item('stays')),
  },
  RollsBackTwice: {
    type: t.unit,
    update: sequence(
      attempt(sequence(attempt(sequence(lookAtMyself, fail)), lookAtMyself, fail)),
      item('stays'),
      attempt(sequence(lookAtMyself, lookAtMyself, fail)),
    ),
  },
};

const definitions: ModuleSpec = {
  types: { Err: { record: { code: t.int64 } } },
  exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
  templates: {
    Item: {
      fields: { owner: t.party, label: t.text },
      precondition: e.true,
      signatories: owners,
      choices: {},
    },
  },
};

const main = encodePackage({ modules: { Main: probeModule(questions, definitions) } });
const PROBE = `${main.id}:Main:Probe`;

let ledger: LedgerApi;
let alice: ExternalParty;
beforeAll(async () => {
  ledger = await startLedgerApi({ dars: [buildDar(main)] });
  alice = await onboard(ledger, 'alice');
});
afterAll(() => ledger.client.close());

it.each([
  ['Succeeds', { exercise: 1, create: 2 }],
  ['RollsBackAFetch', { exercise: 1, create: 1, fetch: 1, rollback: 1 }],
  ['RollsBackTwice', { exercise: 1, create: 1, fetch: 4, rollback: 2 }],
])('%s', async (choice, kinds) => {
  const made = await sign(ledger, create(PROBE, { owner: alice.party }), alice);
  const { contractId } = made.transaction.events[0].CreatedEvent;
  const { answer } = await sign(ledger, exercise(PROBE, contractId, choice), alice);
  expect(await hashPreparedTransaction(answer.preparedTransaction)).toBe(
    answer.preparedTransactionHash,
  );
  const { nodes } = decodePreparedTransaction(answer.preparedTransaction).transaction!;
  const counted: Record<string, number> = {};
  for (const { versionedNode } of nodes) {
    const kind = versionedNode.oneofKind === 'v1' ? versionedNode.v1.nodeType.oneofKind! : 'none';
    counted[kind] = (counted[kind] ?? 0) + 1;
  }
  expect(counted).toEqual(kinds);
});
