/**
 * The one source of randomness: a seeded, counter-based generator. A draw is a function of the seed, its number and its
 * purpose, so a revert, which takes back the counter, rewinds it as well. Not for secrets: ids must only differ.
 */
import { sha256 } from '../daml/hash.js';
import { JournaledCell, type Journal } from './journal.js';

const WORDS = 8;

export class SeededRandom {
  private readonly counter: JournaledCell<number>;
  private readonly key: Uint32Array;
  private readonly purposes = new Map<string, number>();

  constructor(
    journal: Journal,
    private readonly seed: number,
  ) {
    this.counter = new JournaledCell(journal, 0);
    this.key = words(sha256(`canticle/${seed}`));
  }

  /** 32 bytes that no earlier draw gave. `purpose` keeps draws of different kinds apart. */
  bytes(purpose: string): Uint8Array {
    const draw = this.counter.value;
    this.counter.value = draw + 1;
    const salt = this.saltOf(purpose);
    const bytes = new Uint8Array(WORDS * 4);
    for (let i = 0; i < WORDS; i++) {
      // A bijection of the draw's number for each word: two draws of a purpose never agree in any of them.
      let word = mix((draw ^ this.key[i]!) >>> 0);
      word = mix((word + salt + i) >>> 0);
      bytes[4 * i] = word >>> 24;
      bytes[4 * i + 1] = word >>> 16;
      bytes[4 * i + 2] = word >>> 8;
      bytes[4 * i + 3] = word;
    }
    return bytes;
  }

  hex(purpose: string): string {
    return Buffer.from(this.bytes(purpose).buffer).toString('hex');
  }

  /** 32 bytes that depend on the seed and the name only: for ids that must not depend on what was drawn before. */
  fixed(name: string): Uint8Array {
    return sha256(`canticle/${this.seed}/fixed/${name}`);
  }

  uuid(purpose: string): string {
    const hex = this.hex(purpose);
    const parts = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ];
    return parts.join('-');
  }

  private saltOf(purpose: string): number {
    let salt = this.purposes.get(purpose);
    if (salt === undefined) this.purposes.set(purpose, (salt = words(sha256(purpose))[0]!));
    return salt;
  }
}

function words(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: WORDS }, (_, i) => view.getUint32(4 * i));
}

/** The finalizer of MurmurHash3: a bijection of 32 bits that changes about half of them for each one changed. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
