/** The identities of a synchronizer's nodes, with the topology transactions that prove them (S-SYN-001, S-SYN-002). */
import {
  identityTransactions,
  memberId,
  type Member,
} from '../network/topology/topology-transactions.js';
import type { Network } from '../network/network.js';

export interface NodeIdentity {
  /** `SEQ::…` or `MED::…`. */
  readonly id: string;
  /** Base64. */
  readonly identityTransactions: readonly string[];
}

export interface SynchronizerIdentities {
  readonly sequencer: NodeIdentity;
  readonly mediator: NodeIdentity;
}

/** @param prefix the alias of the synchronizer, or its id up to the `::` */
export function synchronizerIdentities(
  network: Network,
  prefix: string,
): SynchronizerIdentities | undefined {
  const found = network.synchronizers.find(
    ({ alias, id }) => alias === prefix || id.startsWith(`${prefix}::`),
  );
  if (found === undefined) return undefined;
  return {
    sequencer: identityOf(network, {
      code: 'SEQ',
      uid: found.sequencerId,
      owner: `sequencer/${found.alias}`,
    }),
    mediator: identityOf(network, {
      code: 'MED',
      uid: found.mediatorId,
      owner: `mediator/${found.alias}`,
    }),
  };
}

function identityOf({ random }: Network, member: Member): NodeIdentity {
  return {
    id: memberId(member),
    identityTransactions: identityTransactions(random, member).map((bytes) =>
      Buffer.from(bytes).toString('base64'),
    ),
  };
}
