/** The packages of @noble, which are loaded on first use: code rarely needs them, and loading them takes a large part of a start. */
import { createRequire } from 'node:module';
import type * as Nist from '@noble/curves/nist';
import type * as Sha3 from '@noble/hashes/sha3';
import type * as Secp256k1 from '@noble/curves/secp256k1';

const load = (name: string): unknown => createRequire(import.meta.url)(name);

export const sha3 = (): typeof Sha3 => load('@noble/hashes/sha3') as typeof Sha3;

export const curve = (): typeof Secp256k1.secp256k1 =>
  (load('@noble/curves/secp256k1') as typeof Secp256k1).secp256k1;

const nist = (): typeof Nist => load('@noble/curves/nist') as typeof Nist;

export type NamedCurve = ReturnType<typeof curve>;

/** By the hexadecimal digits of their object identifiers in DER. */
const CURVES: Readonly<Record<string, () => NamedCurve>> = {
  '2b8104000a': curve,
  '2a8648ce3d030107': () => nist().p256,
  '2b81040022': () => nist().p384,
  '2b81040023': () => nist().p521,
};

export const namedCurve = (id: string): NamedCurve | undefined => CURVES[id]?.();
