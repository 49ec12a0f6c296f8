/** The packages of @noble, loaded when code first asks for what they compute: hardly any does, and they take a good part of a start. */
import { createRequire } from 'node:module';
import type * as Sha3 from '@noble/hashes/sha3';
import type * as Secp256k1 from '@noble/curves/secp256k1';

const load = (name: string): unknown => createRequire(import.meta.url)(name);

export const sha3 = (): typeof Sha3 => load('@noble/hashes/sha3') as typeof Sha3;

export const curve = (): typeof Secp256k1.secp256k1 =>
  (load('@noble/curves/secp256k1') as typeof Secp256k1).secp256k1;
