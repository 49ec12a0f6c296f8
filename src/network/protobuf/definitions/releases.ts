/**
 * The definitions of each release, from the facts that scripts/carry-protos.mjs writes. Those of the default release are loaded with this
 * module. The file of another release has its differences from them, and only a participant of that release reads it.
 */
import { mergedWith } from '../../../daml/model/own-members.js';
import { Definitions, type FileFacts } from './definitions.js';
import adminApi from './facts/admin-api.json' with { type: 'json' };
import grpc from './facts/grpc.json' with { type: 'json' };
import ledgerApi from './facts/ledger-api.json' with { type: 'json' };
import sequencer from './facts/sequencer.json' with { type: 'json' };

/**
 * NOTE: the carried definitions are older than this field of 3.6.1. It is the only one of its message, so that its number
 * is 1 (B-STA-012).
 */
const LEDGER_END = {
  files: {
    'com/daml/ledger/api/v2/state_service.proto': {
      messages: { GetLedgerEndRequest: { synchronizer_ids: '1 repeated string' } },
    },
  },
};

const COSTS = 'traffic_cost_estimation';

/**
 * NOTE: the carried definitions are older than these of 3.7. The numbers are the places of the members in the document
 * of the JSON Ledger API. It has the other members of this message in the order of their numbers (B-TRF-014).
 */
const COST_OF_MOVES = {
  files: {
    'com/daml/ledger/api/v2/interactive/interactive_submission_service.proto': {
      messages: {
        CostEstimation: { reassignment_costs: '5 repeated .ReassignmentCost' },
        ReassignmentCost: {
          source_synchronizer_id: '1 string',
          target_synchronizer_id: '2 string',
          contract_ids: '3 repeated string',
          [`unassignment_request_${COSTS}`]: '4 uint64',
          [`unassignment_response_${COSTS}`]: '5 uint64',
          [`assignment_request_${COSTS}`]: '6 uint64',
          [`assignment_response_${COSTS}`]: '7 uint64',
          total_reassignment_cost_estimation: '8 uint64',
        },
      },
    },
  },
};

const DIFFERENCES = {
  '3.4': () => require('./facts/protos/3.4.json'),
  '3.6': () =>
    [require('./facts/traffic-accounts.json'), LEDGER_END].reduce(
      mergedWith,
      require('./facts/protos/3.6.json'),
    ),
  '3.7': () => [LEDGER_END, COST_OF_MOVES].reduce(mergedWith, require('./facts/protos/3.7.json')),
} satisfies Record<string, () => unknown>;

/** A release whose definitions differ from those of the default release. */
export type DefinedRelease = keyof typeof DIFFERENCES;

const usual: Readonly<Record<string, FileFacts>> = Object.assign(
  {},
  ...[ledgerApi, grpc, adminApi, sequencer].map(({ files }) => files),
);

const USUAL = new Definitions(new Map(Object.entries(usual)));

const others = new Map<DefinedRelease, Definitions>();

/** @param release by default, the default release of Canton */
export function definitionsOf(release?: DefinedRelease): Definitions {
  if (release === undefined) return USUAL;
  let found = others.get(release);
  if (found === undefined) {
    const { files } = DIFFERENCES[release]() as { readonly files: object };
    const own = mergedWith(usual, files) as Readonly<Record<string, FileFacts>>;
    others.set(release, (found = new Definitions(new Map(Object.entries(own)))));
  }
  return found;
}
