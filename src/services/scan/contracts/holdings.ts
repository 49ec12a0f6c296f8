/** Scan's holdings of parties in amulets, from an ACS snapshot (S-HLD-004 to S-HLD-009). */
import { formatTimestamp } from '../../../daml/model/time.js';
import type {
  HoldingsSummaryRequest,
  HoldingsSummaryRequestV1,
  HoldingsSummaryResponse,
  HoldingsSummaryResponseV1,
} from '../../../spec/generated/scan.js';
import { holdingsOf, holdingsPage, type Holdings } from '../../../splice/scan/acs-pages.js';
import { contractsOf, roundNumber } from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../../handler.js';
import { readOwners, snapshotAt, snapshotTime, type FoundSnapshot } from './active-contracts.js';
import { MAX_ITEMS } from '../formats/requests.js';

const AMULETS = ['rules', 'amulet', 'lockedAmulet'] as const;

export const holdingsHandlers = {
  getHoldingsSummaryAt: (context, { body }) => holdingsSummary(context, body),
  getHoldingsSummaryAtV1: (context, { body }) => holdingsSummaryV1(context, body),
} satisfies SomeHandlers<'scan'>;

export function holdingsSummary(
  context: ScanContext,
  request: HoldingsSummaryRequest,
): HoldingsSummaryResponse {
  const { splice } = context;
  const time = snapshotTime(splice, request);
  const round = BigInt(request.as_of_round ?? earliestOpenRound(splice));
  const owners = readOwners(context, 'partyIds', request.owner_party_ids);
  const found = snapshotAt(splice, request.migration_id, time);
  return {
    ...headOf(found),
    computed_as_of_round: Number(round),
    summaries: summaries(found, owners, round, ({ unlocked, unlockedFees, lockedFees }) => ({
      accumulated_holding_fees_unlocked: unlockedFees.toString(),
      accumulated_holding_fees_locked: lockedFees.toString(),
      accumulated_holding_fees_total: unlockedFees.add(lockedFees).toString(),
      total_available_coin: unlocked.subtract(unlockedFees).toString(),
    })),
  };
}

export function holdingsSummaryV1(
  context: ScanContext,
  request: HoldingsSummaryRequestV1,
): HoldingsSummaryResponseV1 {
  const { splice } = context;
  const time = snapshotTime(splice, request);
  const owners = readOwners(context, 'partyIds', request.owner_party_ids);
  const found = snapshotAt(splice, request.migration_id, time);
  return { ...headOf(found), summaries: summaries(found, owners, 0n, () => ({})) };
}

/** Owners without holdings are missing (S-HLD-008). */
function summaries<More>(
  { snapshot }: FoundSnapshot,
  owners: readonly string[],
  round: bigint,
  more: (held: Holdings) => More,
) {
  // One more than the limit, regardless of the owner (S-HLD-009).
  const { contracts, next } = holdingsPage(snapshot, { limit: MAX_ITEMS + 1, owners });
  if (next !== undefined)
    throw new HttpRefusal(
      400,
      `Size of the result exceeded the limit in queryAcsSnapshot. Result size: ${MAX_ITEMS + 1}. Limit: ${MAX_ITEMS}`,
    );
  return [...holdingsOf(contracts, round)].map(([party_id, held]) => ({
    party_id,
    total_unlocked_coin: held.unlocked.toString(),
    total_locked_coin: held.locked.toString(),
    total_coin_holdings: held.unlocked.add(held.locked).toString(),
    ...more(held),
  }));
}

function headOf({ recordTime, migrationId }: FoundSnapshot) {
  return { record_time: formatTimestamp(recordTime), migration_id: migrationId };
}

/** The earliest of the open rounds. NOTE: without any Amulet contract, there are no fees, and the result is round 0. */
function earliestOpenRound(splice: Splice): bigint {
  for (const round of contractsOf(splice, 'openRound')) return roundNumber(round);
  if (AMULETS.every((template) => contractsOf(splice, template).next().done)) return 0n;
  throw new HttpRefusal(400, 'No open mining rounds found.');
}
