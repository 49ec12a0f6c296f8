/** The input contract in a prepared transaction if a newer version of its package uses it (B-INT-014). */
import {
  decodePreparedTransaction,
  hashPreparedTransaction,
} from '@canton-network/core-tx-visualizer';
import { d, definePackage, defineTemplate } from 'canticle';
import { create, exercise, type JsonAnswer } from '../../support/ledger-api.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import { onboard, PREPARE, preparation, sign } from './external-party.js';

const choices = (choice: JsonAnswer) => ({
  Touch: choice({
    result: d.unit,
    controllers: ({ owner }: JsonAnswer) => [owner],
    run: () => ({}),
  }),
});
const signatories = ({ owner }: { owner: string }) => [owner];
const version = (number: string, fields: Parameters<typeof defineTemplate>[0]['fields']) =>
  definePackage({
    name: 'notes',
    version: number,
    templates: [defineTemplate({ name: 'Main:Note', fields, signatories, choices } as JsonAnswer)],
  });
const first = version('1.0.0', { owner: d.party, text: d.text });
const second = version('2.0.0', { owner: d.party, text: d.text, colour: d.optional(d.text) });
const api = useLedgerApi({ packages: [first, second] });

it.each([
  ['the newer version', '#notes', second.id],
  ['the older version', first.id, first.id],
])('is encoded and hashed in %s if the command refers to it', async (_, reference, shown) => {
  const alice = await onboard(api, 'alice');
  const note = { owner: alice.party, text: 'upgrade me' };
  const made = await sign(api, create(`${first.id}:Main:Note`, note), alice);
  const { contractId } = made.transaction.events[0].CreatedEvent;
  const touch = exercise(`${reference}:Main:Note`, contractId, 'Touch');
  const answer = await api.ok(PREPARE, preparation(touch, alice.party));
  const [input] = decodePreparedTransaction(answer.preparedTransaction).metadata!.inputContracts;
  const { v1 } = input!.contract as JsonAnswer;
  expect(v1.templateId.packageId).toBe(first.id);
  const { recordId, fields } = v1.argument.sum.record;
  expect(recordId.packageId).toBe(shown);
  expect(fields.map(({ label }: JsonAnswer) => label)).toEqual(['owner', 'text']);
  expect(await hashPreparedTransaction(answer.preparedTransaction)).toBe(
    answer.preparedTransactionHash,
  );
  const { transaction } = await sign(api, touch, alice);
  expect(transaction.events).toMatchObject([{ ExercisedEvent: { choice: 'Touch' } }]);
});
