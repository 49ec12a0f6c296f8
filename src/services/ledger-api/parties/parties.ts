/** The party management service: the parties that this participant knows. */
import type { SomeHandlers } from '../../handler.js';
import { callContext, logged, QUOTED } from '../../../daml/errors/logging-context.js';

export const parties = {
  getV2Parties: ({ participant }, { query }) => {
    const { pageSize, pageToken } = query;
    const { items, nextPageToken } = participant.parties.list({
      pageSize,
      pageToken,
      identityProviderId: query['identity-provider-id'],
      filterParty: query['filter-party'],
    });
    return { partyDetails: [...items], nextPageToken };
  },

  postV2Parties: ({ participant, partyQuota }, { body }) => ({
    partyDetails: participant.parties.allocate(body, partyQuota),
  }),

  getV2PartiesParty: logged(
    (_context, { path, query }) =>
      callContext(() => ({ parties: requestedParties(path.party, query.parties) })),
    ({ participant }, { path, query }) => ({
      partyDetails: participant.parties.get(
        requestedParties(path.party, query.parties),
        query['identity-provider-id'],
      ),
    }),
  ),

  patchV2PartiesParty: logged(QUOTED, ({ participant }, { body }) => ({
    partyDetails: participant.parties.update(
      body.partyDetails,
      body.updateMask && (body.updateMask.paths ?? []),
    ),
  })),

  'getV2PartiesParticipant-id': ({ participant }) => ({ participantId: participant.id }),
} satisfies SomeHandlers<'ledger'>;

/** Over gRPC, the list may be empty. */
function requestedParties(first: string | undefined, more: readonly string[] = []): string[] {
  return first === undefined ? [...more] : [first, ...more];
}
