/**
 * A validator's operations to host an external party. It generates three topology transactions, and submits them after
 * the party has signed each (V-EXT-002 to V-EXT-008).
 */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { identifierError } from '../../daml/model/identifiers.js';
import { allocateExternalParty } from '../../network/external/allocation.js';
import { uniqueId } from '../../network/model/ids.js';
import {
  decodeTopologyTransaction,
  encodeSeparately,
  topologyHash,
} from '../../network/topology/party-hosting.js';
import {
  KEY_FORMAT,
  KEY_SPEC,
  KEY_USAGE,
  readPublicKey,
  SIGNATURE_ALGORITHM,
  SIGNATURE_FORMAT,
  type PartyKey,
} from '../../network/topology/party-keys.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { base64, fromBase64 } from '../ledger-api/formats/crypto-messages.js';

export const externalPartyHandlers = {
  generateExternalPartyTopology: ({ validator: { participant } }, { body }) => {
    const key = ed25519Key(body.public_key);
    const error = identifierError(body.party_hint);
    if (error !== undefined) throw new HttpRefusal(400, error);
    const party = uniqueId(body.party_hint, key.fingerprint);
    const transactions = encodeSeparately(party, key, participant.id);
    return {
      party_id: party,
      topology_txs: transactions.map((each) => ({
        topology_tx: base64(each),
        hash: Buffer.from(topologyHash(each)).toString('hex'),
      })),
    };
  },
  submitExternalPartyTopology: ({ network, validator: { participant, user } }, { body }) => {
    const key = ed25519Key(body.public_key);
    const signed = body.signed_topology_txs.map(({ topology_tx, signed_hash }) => {
      const transaction = fromBase64(topology_tx);
      return { transaction, kind: kindOf(transaction), signature: signatureOf(signed_hash) };
    });
    if (!signed.some(({ kind }) => kind === 'PartyToParticipant'))
      throw new HttpRefusal(
        400,
        'Failed to determine party id from PartyToParticipant transaction',
      );
    const party = allocateExternalParty(participant, {
      synchronizer: network.synchronizers[0]!.id,
      onboardingTransactions: signed.map(({ transaction, signature }) => ({
        transaction,
        signatures: [
          {
            format: SIGNATURE_FORMAT.RAW,
            signature,
            signedBy: key.fingerprint,
            signingAlgorithmSpec: SIGNATURE_ALGORITHM.ED25519,
          },
        ],
      })),
      userId: user,
      addsKeyMapping: true,
    });
    return { party_id: party };
  },
} satisfies SomeHandlers<'validator'>;

/** @param text its 32 bytes, in hexadecimal digits @throws HttpRefusal 400 (V-EXT-005) */
export function ed25519Key(text: string): PartyKey {
  const publicKey = fromHex(text);
  if (publicKey === undefined)
    throw new HttpRefusal(400, `Could not decode public key ${text} as a hex string`);
  const key = readPublicKey({
    format: KEY_FORMAT.RAW,
    publicKey,
    usage: [KEY_USAGE.NAMESPACE, KEY_USAGE.SEQUENCER_AUTHENTICATION, KEY_USAGE.PROTOCOL],
    keySpec: KEY_SPEC.EC_CURVE25519,
  });
  if (typeof key === 'string') throw new HttpRefusal(400, `Failed to decode public key: ${key}`);
  return key;
}

/** Undefined if the text does not consist of pairs of hexadecimal digits. */
export function fromHex(text: string): Uint8Array | undefined {
  return /^(?:[\da-f]{2})*$/i.test(text) ? Uint8Array.from(Buffer.from(text, 'hex')) : undefined;
}

function kindOf(transaction: Uint8Array): string {
  try {
    return decodeTopologyTransaction(transaction).mapping.kind;
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new HttpRefusal(400, `failed to construct topology transaction: ${error.message}`);
  }
}

function signatureOf(text: string): Uint8Array {
  const signature = fromHex(text);
  if (signature === undefined)
    throw new HttpRefusal(400, `Failed to decode hex-encoded tx signature: ${text}`);
  return signature;
}
