/** Prunes a participant's updates, as its operator does with the admin API. */
import { HttpRefusal, type SomeHandlers } from '../handler.js';

export const pruning = {
  pruneParticipant: ({ network }, { path, body }) => {
    const participant = network.participants.find(({ name }) => name === path.participant);
    if (participant === undefined)
      throw new HttpRefusal(404, `There is no participant ${path.participant}.`);
    const { log } = participant;
    participant.prune(body.upTo ?? log.end - 1, body.forgetHistory);
    return { participant: participant.name, prunedUpTo: log.prunedUpTo, ledgerEnd: log.end };
  },
} satisfies SomeHandlers<'control'>;
