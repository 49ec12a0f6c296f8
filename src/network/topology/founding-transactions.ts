/**
 * The topology transactions that a synchronizer begins with: who its founder, sequencer and mediator are, the namespace that owns it,
 * its parameters, and the states that name its nodes. All of them are in force before anything is sequenced.
 */
import { namespaceFor } from '../model/ids.js';
import type { SeededRandom } from '../journal/random.js';
import { signingKey } from '../model/keys.js';
import type { Synchronizer } from '../synchronizer.js';
import { encodeAddition, type ParametersMessage } from './topology-messages.js';
import {
  identityTransactions,
  participantMember,
  signedTransaction,
  type Member,
} from './topology-transactions.js';

type FoundedSynchronizer = Pick<
  Synchronizer,
  'id' | 'alias' | 'namespace' | 'sequencerId' | 'mediatorId'
>;

/**
 * In the order in which they have to be added.
 * @param founder the participant that owns the synchronizer's namespace
 */
export function foundingTransactions(
  random: SeededRandom,
  synchronizer: FoundedSynchronizer,
  founder: { readonly id: string; readonly name: string },
  parameters: ParametersMessage,
): readonly Uint8Array[] {
  const { id: synchronizerId, alias, namespace, sequencerId, mediatorId } = synchronizer;
  const members: readonly Member[] = [
    participantMember(founder.id, founder.name),
    { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` },
    { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` },
  ];
  const identities = members.map((member) => identityTransactions(random, member));
  const owner = signingKey(random, `namespace/participant/${founder.name}`);
  const owners = [namespaceFor(random, `participant/${founder.name}`)];
  const signed = (mapping: Parameters<typeof encodeAddition>[0]) =>
    signedTransaction(encodeAddition(mapping), [owner]);
  const decentralized = signed({
    decentralizedNamespaceDefinition: { decentralizedNamespace: namespace, threshold: 1, owners },
  });
  const states = [
    { synchronizerParametersState: { synchronizerId, synchronizerParameters: parameters } },
    { mediatorSynchronizerState: { synchronizerId, threshold: 1, active: [mediatorId] } },
    { sequencerSynchronizerState: { synchronizerId, threshold: 1, active: [sequencerId] } },
  ].map(signed);
  const delegations = identities.map(([delegation]) => delegation!);
  return [...delegations, decentralized, ...identities.flatMap(([, ...keys]) => keys), ...states];
}
