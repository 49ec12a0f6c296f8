/**
 * Scan's data about the nodes of the SVs and the upgrades of their synchronizer (S-DSO-005 to S-DSO-007, S-MIG-003,
 * S-MIG-004).
 */
import { latestOf, synchronizerOf } from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { svNodeStates, svScans, svSequencers } from '../../../splice/dso/sv-nodes.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { required } from '../formats/contracts.js';

export const svNodeHandlers = {
  listDsoScans: ({ splice }) => ({
    scans: svScans(states(splice)).map(([domainId, scans]) => ({ domainId, scans: [...scans] })),
  }),
  listDsoSequencers: ({ splice }) => ({
    domainSequencers: svSequencers(states(splice)).map(([domainId, sequencers]) => ({
      domainId,
      sequencers: sequencers.map(({ serial, ...rest }) => ({
        ...rest,
        synchronizerSerial: serial,
      })),
    })),
  }),
  // Each synchronizer has only one sequencer, so none uses Canton's BFT protocol.
  listSvBftSequencers: () => ({ bftSequencers: [] }),
  // Migrations upgrade synchronizers here, and no topology transaction announces them.
  getLsu: () => ({}),
  getRollForwardLsu: () => ({}),
  getActivePhysicalSynchronizerSerial: ({ splice, network }) => {
    const rules = latestOf(splice, 'rules');
    const synchronizerId = rules && synchronizerOf(splice, rules.contractId);
    if (synchronizerId === undefined) throw new HttpRefusal(404, 'No amulet rules');
    return { serial: network.synchronizer(synchronizerId)!.serial };
  },
} satisfies SomeHandlers<'scan'>;

function states(splice: Splice) {
  return svNodeStates(splice, required(splice, 'dsoRules', 'DsoRules'));
}
