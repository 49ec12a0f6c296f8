/** Keys, signatures and bytes in JSON: names of enumerations, and bytes in base64. */
import {
  KEY_FORMAT,
  KEY_SPEC,
  SIGNATURE_ALGORITHM,
  SIGNATURE_FORMAT,
  type Signature,
} from '../../../network/topology/party-keys.js';
import type { Signature as JsonSignature } from '../../../spec/generated/ledger.js';

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

/** With those that no participant accepts by default (B-GRPC-038). */
const KEY_SPECS = { ...KEY_SPEC, ML_DSA_65: 5 };
const ALGORITHMS = { ...SIGNATURE_ALGORITHM, ML_DSA_65: 4 };

export function readKeyEnum(format: string, keySpec: string): { format: number; keySpec: number } {
  return {
    format: numberOf(KEY_FORMAT, 'CRYPTO_KEY_FORMAT_', format),
    keySpec: numberOf(KEY_SPECS, 'SIGNING_KEY_SPEC_', keySpec),
  };
}

export function readSignature(given: JsonSignature): Signature {
  return {
    format: numberOf(SIGNATURE_FORMAT, 'SIGNATURE_FORMAT_', given.format),
    signature: fromBase64(given.signature),
    signedBy: given.signedBy,
    signingAlgorithmSpec: readAlgorithm(given.signingAlgorithmSpec),
  };
}

/** In the form of an answer: a value without a name is unspecified. */
export function writeSignature(given: Signature): JsonSignature {
  return {
    format: nameOf(SIGNATURE_FORMAT, 'SIGNATURE_FORMAT_', given.format),
    signature: base64(given.signature),
    signedBy: given.signedBy,
    signingAlgorithmSpec: nameOf(
      SIGNATURE_ALGORITHM,
      'SIGNING_ALGORITHM_SPEC_',
      given.signingAlgorithmSpec,
    ),
  };
}

function nameOf(numbers: Readonly<Record<string, number>>, prefix: string, number: number): string {
  const found = Object.entries(numbers).find(([, each]) => each === number);
  return `${prefix}${found?.[0] ?? 'UNSPECIFIED'}`;
}

export function readAlgorithm(name: string): number {
  return numberOf(ALGORITHMS, 'SIGNING_ALGORITHM_SPEC_', name);
}

/** 0 (unspecified) for a text that is not a number. A number without a name is passed on, as over gRPC. */
function numberOf(
  numbers: Readonly<Record<string, number>>,
  prefix: string,
  name: string | number = '',
): number {
  if (/^-?\d+$/.test(String(name))) return Number(name);
  const short = String(name).slice(prefix.length);
  return Object.hasOwn(numbers, short) ? numbers[short]! : 0;
}
