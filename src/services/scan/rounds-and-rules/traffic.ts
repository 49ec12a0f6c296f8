/** Scan on the traffic that members of a synchronizer have bought with amulet. */
import { uniqueIdentifierFault } from '../../../daml/model/identifiers.js';
import { contractsOf } from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';

const MEMBER_CODES = ['PAR', 'SEQ', 'MED'];

export const trafficHandlers = {
  /**
   * What was bought under the running migration, which the DSO's automation makes the limit at the sequencer.
   * NOTE: sequencing costs nothing here, so that none of it is ever consumed.
   */
  getMemberTrafficStatus: ({ splice }, { path }) => {
    const member = memberFault(path.member_id);
    if (member !== undefined) throw new HttpRefusal(400, `Could not decode member ID: ${member}`);
    const synchronizer = uniqueIdentifierFault(path.domain_id);
    if (synchronizer !== undefined)
      throw new HttpRefusal(400, `Could not decode domain ID: ${synchronizer}`);
    const total = totalPurchased(splice, path.member_id, path.domain_id);
    return {
      traffic_status: {
        actual: { total_consumed: 0, total_limit: total },
        target: { total_purchased: total },
      },
    };
  },
} satisfies SomeHandlers<'scan'>;

function totalPurchased(splice: Splice, memberId: string, synchronizerId: string): number {
  const migrationId = BigInt(splice.network.migrations.current);
  let total = 0n;
  for (const { payload } of contractsOf(splice, 'memberTraffic'))
    if (
      payload.memberId === memberId &&
      payload.synchronizerId === synchronizerId &&
      payload.migrationId === migrationId
    )
      total += payload.totalPurchased as bigint;
  return Number(total);
}

/** As Canton reads `PAR::name::fingerprint`. */
function memberFault(text: string): string | undefined {
  const code = text.slice(0, 3);
  if (text.length <= 7)
    return `Invalid member \`${text}\`, expecting <three-letter-code>::id::fingerprint.`;
  if (text.slice(3, 5) !== '::')
    return `Expected delimiter :: after three letter code of \`${text}\``;
  if (!MEMBER_CODES.includes(code)) return `Unknown three letter type ${code}`;
  return uniqueIdentifierFault(text.slice(5));
}
