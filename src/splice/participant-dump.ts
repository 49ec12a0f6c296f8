/**
 * Who a participant is, as its validator's operator keeps it for a later start (V-ADM-001): its id, its keys, and the topology
 * transactions that name them.
 * NOTE: of its keys the public halves are told: those of a simulated network come from its seed, and nobody starts another with them.
 */
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import { signingKey } from '../network/keys.js';
import { identityTransactions, memberId } from '../network/topology/topology-transactions.js';

export interface ParticipantDump {
  /** `PAR::…`. */
  readonly id: string;
  readonly keys: { readonly keyPair: string; readonly name: string }[];
  /** Base64. */
  readonly authorizedStoreSnapshot: string;
}

export function participantDump({ random }: Network, { id, name }: Participant): ParticipantDump {
  const owner = `participant/${name}`;
  const member = { code: 'PAR', uid: id, owner } as const;
  const snapshot = Buffer.concat([...identityTransactions(random, member)]);
  return {
    id: memberId(member),
    keys: ['namespace', 'authentication', 'protocol'].map((key) => ({
      keyPair: Buffer.from(signingKey(random, `${key}/${owner}`).publicKey).toString('base64'),
      name: `${name}-${key}`,
    })),
    authorizedStoreSnapshot: snapshot.toString('base64'),
  };
}
