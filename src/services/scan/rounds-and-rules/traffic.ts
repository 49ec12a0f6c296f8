/** Scan on the traffic that members of a synchronizer have bought with amulet. */
import { uniqueIdentifierFault } from '../../../daml/model/identifiers.js';
import { abbreviatedId, memberFault } from '../../../network/ids.js';
import { memberIdOf, totalPurchased } from '../../../splice/dso/traffic.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';

/** Letters before a member's own id. */
const MEMBER_CODE = 'PAR::'.length;

export const trafficHandlers = {
  /**
   * What was bought under the running migration, which the DSO's automation makes the limit at the sequencer, and what of it is gone.
   * The DSO's sequencer answers for those that it knows, whatever synchronizer is asked for.
   * NOTE: where traffic is not metered, none of it ever is. Of members other than participants no account is kept.
   */
  getMemberTrafficStatus: ({ splice }, { path }) => {
    const member = memberFault(path.member_id);
    if (member !== undefined) throw new HttpRefusal(400, `Could not decode member ID: ${member}`);
    const synchronizer = uniqueIdentifierFault(path.domain_id);
    if (synchronizer !== undefined)
      throw new HttpRefusal(400, `Could not decode domain ID: ${synchronizer}`);
    if (!isKnown(splice, path.member_id))
      throw new HttpRefusal(
        404,
        `No traffic state found for member ${abbreviatedId(path.member_id)}`,
      );
    const total = totalPurchased(splice, path.member_id, path.domain_id);
    const state = splice.network.traffic.state(path.domain_id, path.member_id.slice(MEMBER_CODE));
    return {
      traffic_status: {
        actual: { total_consumed: state?.consumed ?? 0, total_limit: state?.purchased ?? total },
        target: { total_purchased: total },
      },
    };
  },
} satisfies SomeHandlers<'scan'>;

/** Registered at the synchronizer that the DSO's sequencer is of. */
function isKnown({ network }: Splice, member: string): boolean {
  const { id, sequencerId, mediatorId } = network.synchronizers[0]!;
  if (member === `SEQ::${sequencerId}` || member === `MED::${mediatorId}`) return true;
  return network.participants.some(
    (each) => memberIdOf(each.id) === member && each.registered.includes(id),
  );
}
