/** The requests of a fork to a Scan and its registry, and the parts of the answers that it uses. Each part is checked before use. */
import type { Operation, Read } from '../../client/operations.js';
import {
  aCount,
  anObject,
  anObjectOf,
  aText,
  listOf,
  mapOf,
  optional,
  type Optional,
  type Shape,
} from '../../spec/shapes.js';

const contract = anObjectOf({
  template_id: aText,
  contract_id: aText,
  payload: optional(anObject),
  created_event_blob: aText,
});
/** A contract that Scan omits if the caller already has it. */
const maybeCached = anObjectOf({ contract: optional(contract), domain_id: optional(aText) });

const requestFor = (
  method: Operation['method'],
  path: string,
  answer: Record<string, Shape | Optional>,
): Read => ({ ...{ method, path, isRead: true }, answer: anObjectOf(answer) });
const get = requestFor.bind(undefined, 'GET');
/** A read request whose query is in the body. */
const query = requestFor.bind(undefined, 'POST');
const scan = (path: string): string => `/api/scan/v0/${path}`;

/** Lists of contracts, each with the member of the answer that contains them. */
export const SCAN_LISTS = [
  ['featured-apps', 'featured_apps'],
  ['closed-rounds', 'rounds'],
  ['amulet-price/votes', 'amulet_price_votes'],
  ['admin/sv/voterequests', 'dso_rules_vote_requests'],
].map(([path, member]) => ({
  member: member!,
  operation: get(scan(path!), { [member!]: optional(listOf(contract)) }),
}));

/** Contracts that the caller may already have, each with the member of the answer that contains it. */
export const SCAN_UPDATES = [
  ['external-party-amulet-rules', 'external_party_amulet_rules_update'],
  ['ans-rules', 'ans_rules_update'],
].map(([path, member]) => ({
  member: member!,
  operation: query(scan(path!), { [member!]: optional(maybeCached) }),
}));

export const SCAN = {
  version: get('/api/scan/version', { version: aText }),
  dso: get(scan('dso-party-id'), { dso_party_id: aText }),
  amuletRules: query(scan('amulet-rules'), { amulet_rules_update: maybeCached }),
  rounds: query(scan('open-and-issuing-mining-rounds'), {
    open_mining_rounds: mapOf(maybeCached),
    issuing_mining_rounds: mapOf(maybeCached),
  }),
  governance: get(scan('dso'), {
    dso_rules: maybeCached,
    sv_node_states: listOf(maybeCached),
    initial_round: optional(aText),
  }),
  licences: {
    ...get(scan('admin/validator/licenses'), {
      validator_licenses: optional(listOf(contract)),
      next_page_token: optional(aCount),
    }),
    pages: { items: 'validator_licenses', next: 'next_page_token', token: 'after' },
  },
  migration: get(scan('migrations/last'), { migration_id: aCount }),
  names: get(scan('splice-instance-names'), {
    network_name: aText,
    network_favicon_url: aText,
    amulet_name: aText,
    amulet_name_acronym: aText,
    name_service_name: aText,
    name_service_name_acronym: aText,
  }),
  acs: get(scan('acs/*'), { acs_snapshot: aText }),
  /** Returns the contracts that a transfer would need. It transfers nothing. */
  transferFactory: query('/registry/transfer-instruction/v1/transfer-factory', {
    choiceContext: anObjectOf({
      disclosedContracts: listOf(
        anObjectOf({
          templateId: aText,
          contractId: aText,
          createdEventBlob: aText,
          debugPayload: optional(anObject),
        }),
      ),
    }),
  }),
} as const satisfies Readonly<Record<string, Read>>;
