/**
 * The identity dump of a node, with which its operator can restore it (V-ADM-001): its id, its keys, and the topology transactions that
 * name them. NOTE: it has public keys only. Keys of a simulated network come from its seed, and no other node can start with them.
 */
import { signingKey } from '../network/model/keys.js';
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import type { Synchronizer } from '../network/synchronizer.js';
import {
  identityTransactions,
  memberId,
  type Member,
} from '../network/topology/topology-transactions.js';

export interface NodeDump {
  /** `PAR::…`, `SEQ::…` or `MED::…`. */
  readonly id: string;
  readonly keys: { readonly keyPair: string; readonly name: string }[];
  /** Base64. */
  readonly authorizedStoreSnapshot: string;
}

export function participantDump(network: Network, { id, name }: Participant): NodeDump {
  return dumpOf(network, { code: 'PAR', uid: id, owner: `participant/${name}` }, name);
}

export function sequencerDump(network: Network, { sequencerId, alias }: Synchronizer): NodeDump {
  const member = { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` } as const;
  return dumpOf(network, member, 'sequencer');
}

export function mediatorDump(network: Network, { mediatorId, alias }: Synchronizer): NodeDump {
  const member = { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` } as const;
  return dumpOf(network, member, 'mediator');
}

function dumpOf({ random }: Network, member: Member, name: string): NodeDump {
  const snapshot = Buffer.concat([...identityTransactions(random, member)]);
  return {
    id: memberId(member),
    keys: ['namespace', 'authentication', 'protocol'].map((key) => ({
      keyPair: Buffer.from(signingKey(random, `${key}/${member.owner}`).publicKey).toString(
        'base64',
      ),
      name: `${name}-${key}`,
    })),
    authorizedStoreSnapshot: snapshot.toString('base64'),
  };
}
