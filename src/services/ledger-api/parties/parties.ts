/** The party management service: parties as this participant knows them. */
import type { SomeHandlers } from '../../handler.js';

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

  getV2PartiesParty: ({ participant }, { path, query }) => ({
    partyDetails: participant.parties.get(
      // Over gRPC none may be there.
      [path.party, ...(query.parties ?? [])].filter(
        (each: string | undefined) => each !== undefined,
      ),
      query['identity-provider-id'],
    ),
  }),

  patchV2PartiesParty: ({ participant }, { body }) => ({
    partyDetails: participant.parties.update(
      body.partyDetails,
      body.updateMask && (body.updateMask.paths ?? []),
    ),
  }),

  'getV2PartiesParticipant-id': ({ participant }) => ({ participantId: participant.id }),
} satisfies SomeHandlers<'ledger'>;
