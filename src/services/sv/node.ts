/**
 * An SV app's data about itself, its DSO and the nodes of its synchronizer (B-027 to B-029, L-HLT-*). It has no
 * CometBFT node.
 */
import { mediatorDump, participantDump, sequencerDump } from '../../splice/node-dumps.js';
import type { Splice } from '../../splice/splice.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { appStatus, nodeStatus, nodeVersion, SV_PORT } from '../scan/formats/node-status.js';
import { dsoInfo } from '../scan/rounds-and-rules/rules-and-rounds.js';
import { svValidator } from './sv-context.js';

export const nodeHandlers = {
  isReady: () => undefined,
  isLive: () => undefined,
  getHealthStatus: ({ splice }) => appStatus(splice, 'sv', SV_PORT),
  getVersion: ({ splice, spliceVersion }) => nodeVersion(splice, spliceVersion),
  isAuthorized: () => undefined,
  featureSupport: () => ({}),
  getDsoInfo: ({ splice }) => dsoInfo(splice),
  getDsoInfoV1: ({ splice }) => dsoInfo(splice),
  getMigrationId: ({ network }) => ({ migration_id: network.migrations.current }),
  getSequencerNodeStatus: ({ splice }) =>
    nodeStatus(splice, 'sequencer', synchronizer(splice).sequencerId),
  getMediatorNodeStatus: ({ splice }) =>
    nodeStatus(splice, 'mediator', synchronizer(splice).mediatorId),
  getSynchronizerNodeIdentitiesDump: (context) => {
    const { network, dsoParty } = context.splice;
    const { party, participant } = svValidator(context);
    const found = synchronizer(context.splice);
    return {
      identities: {
        sv_party_id: party,
        dso_party_id: dsoParty,
        domain_alias: found.alias,
        domain_id: found.id,
        participant: participantDump(network, participant),
        sequencer: sequencerDump(network, found),
        mediator: mediatorDump(network, found),
      },
    };
  },
  getCometBftNodeStatus: () => withoutCometBft(),
  getCometBftNodeDebugDump: () => withoutCometBft(),
  cometBftJsonRpcRequest: () => withoutCometBft(),
  /** No upgrade is ever announced here, so a cancellation has no effect. */
  cancelLogicalSynchronizerUpgrade: () => undefined,
} satisfies SomeHandlers<'sv'>;

function synchronizer({ network }: Splice) {
  return network.synchronizers[0]!;
}

function withoutCometBft(): never {
  throw new HttpRefusal(404, 'CometBFT is not configured.');
}
