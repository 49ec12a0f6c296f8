/** The contents of updates, without their wrappers. */
import {
  eventFormat,
  transactionFormat,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';

const ofKind =
  (kind: string) =>
  ({ events }: JsonAnswer): JsonAnswer[] =>
    events.flatMap((event: JsonAnswer) => (kind in event ? [event[kind]] : []));

export const createdEvents = ofKind('CreatedEvent');
export const archivedEvents = ofKind('ArchivedEvent');
export const exercisedEvents = ofKind('ExercisedEvent');

/** All events of a transaction, whatever their kinds. */
export const eventsOf = ({ events }: JsonAnswer): JsonAnswer[] =>
  events.map((event: JsonAnswer) => Object.values(event)[0]);

/** Transactions alone: for these parties, or for any party where none is named. */
export const transactionsFor = (
  shape: Shape,
  parties: readonly string[],
  ...filters: unknown[]
) => ({ includeTransactions: transactionFormat(shape, eventFormat(parties, ...filters)) });

/** The transactions in updates. */
export const transactionsIn = (updates: JsonAnswer[]): JsonAnswer[] =>
  updates.map((update) => update.Transaction.value);

/** The transactions in elements of a list, a stream or a page. */
export const transactionsOf = (elements: JsonAnswer[]): JsonAnswer[] =>
  transactionsIn(elements.map(({ update }) => update));

/** The ids of what transactions create, each of which creates one contract and does nothing else. */
export const idsIn = (transactions: JsonAnswer[]): string[] =>
  transactions.map((transaction) => {
    expect(transaction.events).toMatchObject([{ CreatedEvent: {} }]);
    return createdEvents(transaction)[0].contractId;
  });
