/**
 * Bytes that stand for salts, hashes, seeds, keys and signatures. Their values do not matter for what a message weighs, only that they
 * cannot be compressed. They are the same for each message, so that the same message always weighs the same.
 */
import type { SignatureForm } from '../updates.js';
import { join, integer, message, raw, string, type Part } from './message-bytes.js';

/** More than gzip looks back, so that nothing repeats within its window. */
const SIZE = 1 << 16;
/**
 * The generator's first state. Any noise makes messages some bytes longer or shorter than others do. This one has no bias: over the
 * shapes of messages that were recorded, the compressed length is the mean of what random bytes give, on average, and 1.3 bytes off in
 * the mean square.
 */
const SEED = 81;
const HASH = 32;
const UUID = 16;
/** What a multihash of SHA-256 begins with. */
const MULTIHASH = [0x12, 0x20];

let pool: Uint8Array | undefined;

/** A linear congruential generator, of which the high bits are used: Numerical Recipes' constants. */
function made(): Uint8Array {
  const noise = new Uint8Array(SIZE);
  let state = SEED;
  for (let at = 0; at < SIZE; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    noise[at] = state >>> 24;
  }
  return noise;
}

/** Draws from the beginning for each message. */
export class Noise {
  private at = 0;

  bytes(count: number): Uint8Array {
    const noise = (pool ??= made());
    if (this.at + count > SIZE) this.at = 0;
    const drawn = noise.subarray(this.at, this.at + count);
    this.at += count;
    return drawn;
  }

  /** Bytes of a multihash. */
  hash(): Part {
    return join(raw(Uint8Array.from(MULTIHASH)), raw(this.bytes(HASH)));
  }

  /** Hexadecimal, as keys are named. */
  fingerprint(): string {
    return `1220${Buffer.from(this.bytes(HASH)).toString('hex')}`;
  }

  /** Of 16 bytes, hexadecimal with dashes. */
  uuid(): string {
    const digits = Buffer.from(this.bytes(UUID)).toString('hex');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** The field `salt` of what is hashed. */
  salt(): Part {
    return message(1, integer(1, 1), message(2, raw(this.bytes(HASH))));
  }

  /** The members of a signature. @param size of the signature itself, in bytes */
  signature({ size, format, algorithm, signedBy }: SignatureForm): Part {
    return join(
      integer(1, format),
      message(2, raw(this.bytes(size))),
      string(3, signedBy ?? this.fingerprint()),
      integer(4, algorithm),
    );
  }
}

/** Of an Ed25519 key, as participants have. */
export const PARTICIPANT_SIGNATURE = { size: 64, format: 3, algorithm: 1 } as const;
