/** The nodes of a synchronizer and their keys, as `TopologyAggregationService` lists them. */
import { createECDH } from 'node:crypto';
import type { Timestamp } from '../../../daml/model/values.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import {
  memberId,
  memberKeys,
  type Member,
} from '../../../network/topology/topology-transactions.js';
import type { AdminContext } from '../admin-context.js';
import { instant, uniqueIdentifier } from '../parsing/fields.js';
import { parsed } from '../parsing/parsed.js';
import { memberCode } from '../parsing/topology.js';
import { keyOf, passes } from './items.js';
import { synchronizersNamed } from './stores.js';

/** The nodes that a synchronizer's store knows; a participant's own store has only the participant. */
export function membersOf(
  { network }: AdminContext,
  synchronizer: Synchronizer,
): readonly Member[] {
  const { sequencerId, mediatorId, alias, id } = synchronizer;
  return [
    { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` },
    { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` },
    ...network.participants
      .filter((participant) => participant.isConnectedTo(id))
      .map(({ id: uid, name }) => ({ code: 'PAR', uid, owner: `participant/${name}` }) as const),
  ];
}

const CRYPTO_FORMAT = 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO';
/** The bytes before the point of a P-256 key in its DER form. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** NOTE: a participant announces an encryption key, which Canticle does not use. The same for the same namespace. */
export function encryptionKeysOf(member: Pick<Member, 'code' | 'uid'>): readonly object[] {
  if (member.code !== 'PAR') return [];
  const publicKey = Buffer.from(encryptionKeyOf(member)).toString('base64');
  return [{ format: CRYPTO_FORMAT, publicKey, keySpec: 'ENCRYPTION_KEY_SPEC_EC_P256' }];
}

/** The encryption key of a participant. @returns X.509 SubjectPublicKeyInfo, DER */
export function encryptionKeyOf({ uid }: Pick<Member, 'uid'>): Uint8Array {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(Buffer.from(namespaceOf(uid).slice(-62).padStart(64, '0'), 'hex'));
  return Buffer.concat([P256_PREFIX, curve.getPublicKey()]);
}

export interface OwnersQuery {
  readonly asOf?: string;
  readonly limit: number;
  readonly synchronizerIds: readonly string[];
  readonly filterKeyOwnerType: string;
  readonly filterKeyOwnerUid: string;
}

/** Whether the requested time is before the ledger's start. */
export function isBefore({ network }: AdminContext, asOf: Timestamp | undefined): boolean {
  return asOf !== undefined && asOf <= network.startTime;
}

/** @param limit how many keys of each node */
function keyOwners(
  context: AdminContext,
  query: Omit<OwnersQuery, 'asOf'> & { readonly asOf: Timestamp | undefined },
): object {
  const { limit, synchronizerIds, filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
  const synchronizers = synchronizersNamed(context, synchronizerIds);
  if (isBefore(context, query.asOf)) return { results: [] };
  const results = synchronizers.flatMap((synchronizer) =>
    membersOf(context, synchronizer)
      .filter(({ code, uid }) => (type === '' || type === code) && passes(uid, filter))
      .map((member) => {
        const { own } = memberKeys(context.network.random, member);
        const left = Math.max(0, limit);
        return {
          synchronizerId: synchronizer.id,
          keyOwner: memberId(member),
          signingKeys: own.slice(0, left).map(keyOf),
          encryptionKeys: encryptionKeysOf(member).slice(0, Math.max(0, left - own.length)),
          physicalSynchronizerId: synchronizer.physicalId,
        };
      }),
  );
  return { results };
}

export const listKeyOwners = parsed((query: OwnersQuery) => {
  memberCode('filterKeyOwnerType', query.filterKeyOwnerType);
  query.synchronizerIds.forEach((id) => uniqueIdentifier('synchronizer_ids', id));
  return { ...query, asOf: query.asOf === undefined ? undefined : instant(query.asOf) };
}, keyOwners);
