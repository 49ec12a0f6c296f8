/** What a fork uses of the answers of a Scan and of its registry: each part of these is looked at before it is used. */
import {
  aCount,
  anObject,
  anObjectOf,
  aText,
  listOf,
  mapOf,
  optional,
  type Shape,
} from '../../spec/shapes.js';

const contract = anObjectOf({
  template_id: aText,
  contract_id: aText,
  payload: optional(anObject),
  created_event_blob: aText,
});
/** As Scan answers who may have it already: without it then. */
const kept = anObjectOf({ contract: optional(contract), domain_id: optional(aText) });

/** An object with a list of contracts. */
export const contractsAs = (member: string): Shape =>
  anObjectOf({ [member]: optional(listOf(contract)) });
/** An object with a contract that its reader may have already. */
export const updateAs = (member: string): Shape => anObjectOf({ [member]: optional(kept) });

/** By what is asked for. */
export const SCAN_ANSWERS = {
  dso: anObjectOf({ dso_party_id: aText }),
  amuletRules: anObjectOf({ amulet_rules_update: kept }),
  rounds: anObjectOf({ open_mining_rounds: mapOf(kept), issuing_mining_rounds: mapOf(kept) }),
  governance: anObjectOf({ dso_rules: kept, sv_node_states: listOf(kept) }),
  licences: anObjectOf({
    validator_licenses: optional(listOf(contract)),
    next_page_token: optional(aCount),
  }),
  migration: anObjectOf({ migration_id: aCount }),
  names: anObjectOf({
    network_name: aText,
    network_favicon_url: aText,
    amulet_name: aText,
    amulet_name_acronym: aText,
    name_service_name: aText,
    name_service_name_acronym: aText,
  }),
  acs: anObjectOf({ acs_snapshot: aText }),
  transferFactory: anObjectOf({
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
} as const satisfies Readonly<Record<string, Shape>>;
