/** Calls of an application of release 3.4, with operations and members that 3.4 deprecated. */
import { Client, Refusal } from './client.js';

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return error.message;
    },
  );

/** The outcome of each call. */
export async function legacyJourney(url: string, party: string, updateId: string) {
  const client = new Client(url);
  const filter = { filtersByParty: { [party]: { cumulative: [] } } };
  return {
    trees: await outcome(
      client.postPart('/v2/updates/trees', { beginExclusive: 0, filter, verbose: true }),
    ),
    flats: await outcome(
      client.postPart('/v2/updates/flats', { beginExclusive: 0, filter, verbose: true }),
    ),
    updates: await outcome(
      client.postPart('/v2/updates', { beginExclusive: 0, filter, verbose: true }),
    ),
    active: await outcome(
      client.postPart('/v2/state/active-contracts', { activeAtOffset: 0, filter, verbose: true }),
    ),
    byId: await outcome(
      client.post('/v2/updates/transaction-by-id', { updateId, requestingParties: [party] }),
    ),
    treeById: await outcome(
      client.get(
        '/v2/updates/transaction-tree-by-id/{update-id}',
        { 'update-id': updateId },
        { parties: party },
      ),
    ),
  };
}
