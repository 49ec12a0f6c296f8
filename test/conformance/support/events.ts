/** The contents of updates, without their wrappers. */
import { eventFormat, transactionFormat, type Shape, type Told } from '../../support/ledger-api.js';

const ofKind =
  (kind: string) =>
  ({ events }: Told): Told[] =>
    events.flatMap((event: Told) => (kind in event ? [event[kind]] : []));

export const createdEvents = ofKind('CreatedEvent');
export const archivedEvents = ofKind('ArchivedEvent');
export const exercisedEvents = ofKind('ExercisedEvent');

/** All events of a transaction, whatever their kinds. */
export const eventsOf = ({ events }: Told): Told[] =>
  events.map((event: Told) => Object.values(event)[0]);

/** Transactions alone: for these parties, or for any party where none is named. */
export const transactionsFor = (
  shape: Shape,
  parties: readonly string[],
  ...filters: unknown[]
) => ({ includeTransactions: transactionFormat(shape, eventFormat(parties, ...filters)) });

/** The transactions in updates. */
export const transactionsIn = (updates: Told[]): Told[] =>
  updates.map((update) => update.Transaction.value);

/** The transactions in elements of a list, a stream or a page. */
export const transactionsOf = (elements: Told[]): Told[] =>
  transactionsIn(elements.map(({ update }) => update));

/** The ids of what transactions create, each of which creates one contract and does nothing else. */
export const idsIn = (transactions: Told[]): string[] =>
  transactions.map((transaction) => {
    expect(transaction.events).toMatchObject([{ CreatedEvent: {} }]);
    return createdEvents(transaction)[0].contractId;
  });
