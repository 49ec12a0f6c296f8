/** Requests at once, one of them another than the rest, as upstream's race suites have them. */
import type { Answer } from '../../support/client.js';
import {
  eventFormat,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { transactionsFor, transactionsIn } from './events.js';

interface Raced {
  /** The transaction of the one. */
  readonly one: JsonAnswer;
  /** Transactions of the others that were accepted, and what the rest answered. */
  readonly accepted: readonly JsonAnswer[];
  readonly refused: readonly Answer[];
}

/** The one comes in the middle, and is accepted. The stream has the transactions that were answered, and no other. */
export async function raced(
  api: LedgerApi,
  party: string,
  count: number,
  one: unknown,
  other: unknown,
): Promise<Raced> {
  const beginExclusive = await api.ledgerEnd();
  const submit = (command: unknown) =>
    api.post('/v2/commands/submit-and-wait-for-transaction', {
      commands: api.commands(command, { actAs: party }),
      transactionFormat: transactionFormat('LEDGER_EFFECTS', eventFormat([party], wildcard())),
    });
  const middle = count >> 1;
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => submit(index === middle ? one : other)),
  );
  const transactions = answers.flatMap(({ status, body }) =>
    status === 200 ? [body.transaction] : [],
  );
  const format = transactionsFor('LEDGER_EFFECTS', [party], wildcard());
  const streamed = transactionsIn(await api.updates(format, { beginExclusive }));
  expect(streamed).toEqual(transactions.toSorted((a, b) => a.offset - b.offset));
  expect(answers[middle]!.status).toBe(200);
  const { transaction } = answers[middle]!.body;
  return {
    one: transaction,
    accepted: transactions.filter((each) => each !== transaction),
    refused: answers.filter(({ status }) => status !== 200),
  };
}

/** All that are accepted come before the one, of a single event each; some are, and the rest is refused with the code. */
export async function expectBefore({ one, accepted, refused }: Raced, code: string): Promise<void> {
  expect(accepted).not.toEqual([]);
  for (const { offset, events } of accepted) {
    expect(offset).toBeLessThan(one.offset);
    expect(events).toHaveLength(1);
  }
  expect(refused).not.toEqual([]);
  for (const answer of refused) await expectRefused(answer, code, { definite: false });
}
