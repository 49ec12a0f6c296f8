/** Scan's endpoint for the traffic that members of a synchronizer bought with amulets. */
import { uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import { abbreviatedId, memberError } from '../../../network/model/ids.js';
import { memberIdOf, totalPurchased } from '../../../splice/dso/traffic.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';

/** The length of the prefix of a member id. */
const MEMBER_CODE = 'PAR::'.length;

export const trafficHandlers = {
  /**
   * The traffic bought under the current migration, the limit at the sequencer that the DSO's automation derives from it, and the consumed
   * part. The DSO's sequencer answers for the members that it has, for any synchronizer in the request. NOTE: without metering, no traffic
   * is consumed. Only participants have accounts.
   */
  getMemberTrafficStatus: ({ splice }, { path }) => {
    const member = memberError(path.member_id);
    if (member !== undefined) throw new HttpRefusal(400, `Could not decode member ID: ${member}`);
    const synchronizer = uniqueIdentifierError(path.domain_id);
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

/** Whether the member is registered at the synchronizer of the DSO's sequencer. */
function isKnown({ network }: Splice, member: string): boolean {
  const { id, sequencerId, mediatorId } = network.synchronizers[0]!;
  if (member === `SEQ::${sequencerId}` || member === `MED::${mediatorId}`) return true;
  return network.participants.some(
    (each) => memberIdOf(each.id) === member && each.registered.includes(id),
  );
}
