/** Prepared transactions with each kind of node and value that is read strictly before it is executed. */
import { create, exercise, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { onboard, sign, type ExternalParty } from './external-party.js';

let ledger: LedgerApi;
let alice: ExternalParty;
beforeEach(async () => {
  ledger = await startLedgerApi();
  alice = await onboard(ledger, 'alice');
});
afterEach(() => ledger.client.close());

const kindsOf = (events: readonly object[]) => events.map((event) => Object.keys(event)[0]);

it('executes a fetch inside an exercise', async () => {
  const made = await sign(ledger, create(model('Nest'), { owner: alice.party }), alice);
  const { contractId } = made.transaction.events[0].CreatedEvent;
  const { transaction } = await sign(
    ledger,
    exercise(model('Nest'), contractId, 'Deepen', { levels: '1' }),
    alice,
  );
  expect(kindsOf(transaction.events)).toEqual([
    'ExercisedEvent',
    'ExercisedEvent',
    'CreatedEvent',
    'CreatedEvent',
  ]);
});

it('executes the create of a contract with a decimal', async () => {
  const { party } = alice;
  const { transaction } = await sign(
    ledger,
    create('#canticle-quickstart:Quickstart.Iou:Iou', {
      issuer: party,
      owner: party,
      currency: 'EUR',
      amount: '0.5',
      observers: [],
    }),
    alice,
  );
  expect(transaction.events[0].CreatedEvent.createArgument.amount).toBe('0.5000000000');
});
