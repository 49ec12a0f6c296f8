/**
 * Bytes in place of salts, hashes, seeds, keys and signatures. Their values do not affect the cost of a message; they
 * only must not compress. Each message gets the same bytes, so that its cost never varies.
 */
import type { SignatureForm } from '../model/updates.js';
import { join, integer, message, raw, string, type Part } from './message-bytes.js';

/** Larger than gzip's window, so that nothing repeats within it. */
const SIZE = 1 << 16;
/**
 * The first state of the generator. Any noise makes messages some bytes longer or shorter. This seed has no bias: over
 * the recorded messages, compressed lengths have the mean of random bytes, with a root mean square error of 1.3 bytes.
 */
const SEED = 81;
const HASH = 32;
const UUID = 16;
/** The first bytes of a SHA-256 multihash. */
const MULTIHASH = [0x12, 0x20];

let pool: Uint8Array | undefined;

/** A linear congruential generator with the constants of Numerical Recipes. It uses the high bits. */
function made(): Uint8Array {
  const noise = new Uint8Array(SIZE);
  let state = SEED;
  for (let at = 0; at < SIZE; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    noise[at] = state >>> 24;
  }
  return noise;
}

/** Starts from the same first byte for each message. */
export class Noise {
  private at = 0;

  bytes(count: number): Uint8Array {
    const noise = (pool ??= made());
    if (this.at + count > SIZE) this.at = 0;
    const drawn = noise.subarray(this.at, this.at + count);
    this.at += count;
    return drawn;
  }

  /** The bytes of a multihash. */
  hash(): Part {
    return join(raw(Uint8Array.from(MULTIHASH)), raw(this.bytes(HASH)));
  }

  /** A fingerprint of a key, in hexadecimal. */
  fingerprint(): string {
    return `1220${Buffer.from(this.bytes(HASH)).toString('hex')}`;
  }

  /** 16 bytes, in hexadecimal with dashes. */
  uuid(): string {
    const digits = Buffer.from(this.bytes(UUID)).toString('hex');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** The field `salt` of a hashed message. */
  salt(): Part {
    return message(1, integer(1, 1), message(2, raw(this.bytes(HASH))));
  }

  /**
   * The members of a signature.
   * @param size of the signature alone, in bytes
   */
  signature({ size, format, algorithm, signedBy }: SignatureForm): Part {
    return join(
      integer(1, format),
      message(2, raw(this.bytes(size))),
      string(3, signedBy ?? this.fingerprint()),
      integer(4, algorithm),
    );
  }
}

/** The signature of an Ed25519 key, which participants use. */
export const PARTICIPANT_SIGNATURE = { size: 64, format: 3, algorithm: 1 } as const;
