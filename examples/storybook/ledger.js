import { createCanticle } from 'canticle/browser';

/**
 * A loader for a story: its own ledger, with alice and bob.
 * @param prepare brings it to the state of the story
 */
export const ledger = (prepare) => async () => {
  const canticle = await createCanticle({ seed: 1 });
  const [alice, bob] = ['alice', 'bob'].map((hint) => canticle.participant.allocateParty(hint));
  prepare?.({ canticle, alice, bob });
  return { fetch: canticle.fetch, party: alice, canticle, bob };
};
