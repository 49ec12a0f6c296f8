/** The data that an SV's app reads from its Scan for its operator. */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import type { Party } from '../../daml/model/values.js';
import { contractsOf, synchronizerOf } from '../../splice/dso/amulet-contracts.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { contractJson, required } from '../scan/formats/contracts.js';
import { hostingHandlers } from '../scan/hosting.js';
import { amuletLookupHandlers } from '../scan/rounds-and-rules/amulet-lookups.js';

export const lookupHandlers = {
  getPartyToParticipant: (context, input) => {
    const { party_id: party } = input.path;
    requireParty('party ID', party);
    const rules = required(context.splice, 'dsoRules', 'DsoRules');
    const domain = synchronizerOf(context.splice, rules.contractId)!;
    const path = { domain_id: domain, party_id: party };
    return hostingHandlers.getPartyToParticipantV1(context, { ...input, path });
  },
  lookupFeaturedAppRightByContractId: (context, input) =>
    amuletLookupHandlers.lookupFeaturedAppRightByContractId(context, { ...input }),
  listFeaturedAppRightsByProvider: ({ splice }, { path: { provider_party_id: provider } }) => {
    requireParty('provider party ID', provider);
    const rights = [...contractsOf(splice, 'featuredAppRight')].filter(
      ({ payload }) => (payload.provider as Party) === provider,
    );
    return { featured_app_rights: rights.map((right) => contractJson(splice, right)) };
  },
} satisfies SomeHandlers<'sv'>;

function requireParty(what: string, text: string): void {
  const error = uniqueIdentifierError(text);
  if (error !== undefined) throw new HttpRefusal(400, `Could not decode ${what}: ${error}`);
}
