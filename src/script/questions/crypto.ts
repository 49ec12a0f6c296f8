/** Keys and signatures of secp256k1, for scripts that sign for a party. */
import { fromHex, sha256, toHex } from '../../daml/model/hash.js';
import { record } from '../library/library.js';
import { derKeys, readPrivateKey, sign } from '../secp256k1-keys.js';
import { textOf } from '../values.js';
import type { QuestionRows } from './question-row.js';

export const cryptoQuestions: QuestionRows = {
  *'Secp256k1Sign 1'(_run, { p0: key, p1: message }) {
    return toHex(sign(readPrivateKey(textOf(key)), sha256(fromHex(textOf(message)))));
  },
  *'Secp256k1WithEcdsaSign 1'(_run, { p0: key, p1: digest }) {
    return toHex(sign(readPrivateKey(textOf(key)), fromHex(textOf(digest))));
  },
  *'Secp256k1GenerateKeyPair 1'(run) {
    const { privateKey, publicKey } = derKeys(run.nextSecret());
    return record(privateKey, publicKey);
  },
};
