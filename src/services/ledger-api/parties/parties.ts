/** The party management service: parties as this participant knows them. */
import type { SomeHandlers } from '../../handler.js';
import type { PartyDetails } from '../../../spec/generated/ledger.js';
import { refusedByJsonLayer } from '../../../daml/codec/json/json-layer.js';

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

  postV2Parties: ({ participant }, { body }) => ({
    partyDetails: participant.parties.allocate(body),
  }),

  getV2PartiesParty: ({ participant }, { path, query }) => ({
    partyDetails: participant.parties.get(
      [path.party, ...(query.parties ?? [])],
      query['identity-provider-id'],
    ),
  }),

  patchV2PartiesParty: ({ participant }, { path, body }) => {
    const described = body.partyDetails as PartyDetails | undefined;
    if (described?.party !== path.party)
      throw refusedByJsonLayer(`${path.party} does not match party in body ${printed(described)}`);
    return {
      partyDetails: participant.parties.update(
        described,
        body.updateMask && (body.updateMask.paths ?? []),
      ),
    };
  },

  'getV2PartiesParticipant-id': ({ participant }) => ({ participantId: participant.id }),
} satisfies SomeHandlers<'ledger'>;

/** As the JSON layer prints the message in its refusal. */
function printed(described: PartyDetails | undefined): string {
  if (described === undefined) return 'None';
  const { party, isLocal = false, localMetadata, identityProviderId = '' } = described;
  const annotations = Object.entries(localMetadata?.annotations ?? {}).map(
    ([key, value]) => `${key} -> ${value}`,
  );
  const metadata = localMetadata
    ? `Some(ObjectMeta(${localMetadata.resourceVersion ?? ''},Map(${annotations.join(', ')})))`
    : 'None';
  return `Some(PartyDetails(${party},${isLocal},${metadata},${identityProviderId}))`;
}
