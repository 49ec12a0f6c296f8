/** The steps with which a validator hosts an external party and sets it up. The test signs with the party's key. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Answer, CallOptions } from './validator-world.js';

export const OPERATOR = 'ledger-api-user';
export const EXTERNAL = '/v0/admin/external-party';

const rawKey = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

/** @param bare sends a request to the validator */
export function externalParty(bare: (call: string, options?: CallOptions) => Promise<Answer>) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = rawKey(publicKey);
  const request = (call: string, body?: unknown) => bare(call, { as: OPERATOR, body });
  const signed = (hash: string): string =>
    sign(null, Buffer.from(hash, 'hex'), privateKey).toString('hex');
  const generate = (hint = 'alice', public_key = key) =>
    request(`POST ${EXTERNAL}/topology/generate`, { party_hint: hint, public_key });
  const submit = (txs: object[], public_key = key) =>
    request(`POST ${EXTERNAL}/topology/submit`, { public_key, signed_topology_txs: txs });
  const signing = ({ topology_tx, hash }: { topology_tx: string; hash: string }) => ({
    topology_tx,
    signed_hash: signed(hash),
  });
  const propose = (user_party_id: string) =>
    request(`POST ${EXTERNAL}/setup-proposal`, { user_party_id });
  const prepare = (user_party_id: string, contract_id: string, more = {}) =>
    request(`POST ${EXTERNAL}/setup-proposal/prepare-accept`, {
      user_party_id,
      contract_id,
      ...more,
    });
  const accept = (submission: object) =>
    request(`POST ${EXTERNAL}/setup-proposal/submit-accept`, { submission });
  return {
    key,
    request,
    signed,
    generate,
    submit,
    signing,
    propose,
    prepare,
    accept,
    async host(): Promise<string> {
      const { body } = await generate();
      return (await submit(body.topology_txs.map(signing))).body.party_id;
    },
    async setUp(party: string) {
      const { contract_id } = (await propose(party)).body;
      const { transaction, tx_hash } = (await prepare(party, contract_id)).body;
      const own = {
        party_id: party,
        public_key: key,
        transaction,
        signed_tx_hash: signed(tx_hash),
      };
      return accept(own);
    },
  };
}
