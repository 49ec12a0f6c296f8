/**
 * The one source of randomness: a seeded, counter-based generator. A draw is a function of the seed, its number and its
 * purpose, so a revert, which takes back the counter, rewinds it as well. Not for secrets: ids must only differ.
 */
import { sha256 } from '../../daml/model/hash.js';
import { mix, readWord, unmix, writeWord } from '../../daml/contract/mixing.js';
import { JournaledCell, type Journal } from './journal.js';

const WORDS = 8;
const UUID_BYTES = 16;
/** Filled anew for each UUID. */
const UUID = new Uint8Array(UUID_BYTES);
const UUID_TEXT = Buffer.alloc(36, '-');
const DIGITS = Buffer.from('0123456789abcdef');

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
    return this.bytesAt(purpose, draw);
  }

  /** The same for draws that are numbered by something else than the counter, which such a purpose must then never draw from. */
  bytesAt(purpose: string, draw: number): Uint8Array {
    const bytes = new Uint8Array(WORDS * 4);
    const salt = this.saltOf(purpose);
    for (let i = 0; i < WORDS; i++) writeWord(bytes, 4 * i, this.word(salt, i, draw));
    return bytes;
  }

  /** A bijection of the draw's number for each word: two draws of a purpose never agree in any of them. */
  private word(salt: number, index: number, draw: number): number {
    return mix((mix((draw ^ this.key[index]!) >>> 0) + salt + index) >>> 0);
  }

  /** The only draw of a purpose that can have begun with this word. */
  drawThatBegins(purpose: string, word: number): number {
    return (unmix((unmix(word) - this.saltOf(purpose)) >>> 0) ^ this.key[0]!) >>> 0;
  }

  hex(purpose: string): string {
    return Buffer.from(this.bytes(purpose).buffer).toString('hex');
  }

  /** 32 bytes that depend on the seed and the name only: for ids that must not depend on what was drawn before. */
  fixed(name: string): Uint8Array {
    return sha256(`canticle/${this.seed}/fixed/${name}`);
  }

  uuid(purpose: string): string {
    const draw = this.counter.value;
    this.counter.value = draw + 1;
    return this.uuidAt(purpose, draw);
  }

  /** As {@link bytesAt} numbers draws. */
  uuidAt(purpose: string, draw: number): string {
    const salt = this.saltOf(purpose);
    for (let i = 0; i < UUID_BYTES / 4; i++) writeWord(UUID, 4 * i, this.word(salt, i, draw));
    UUID[6] = 0x40 | (UUID[6]! & 0x0f);
    UUID[8] = 0x80 | (UUID[8]! & 0x0f);
    return uuidText(UUID);
  }

  private saltOf(purpose: string): number {
    let salt = this.purposes.get(purpose);
    if (salt === undefined) this.purposes.set(purpose, (salt = words(sha256(purpose))[0]!));
    return salt;
  }
}

function words(bytes: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: WORDS }, (_, i) => readWord(bytes, 4 * i));
}

/** Digit by digit into one piece: texts that are joined keep their parts, and ids are kept for ever. */
function uuidText(bytes: Uint8Array): string {
  let at = 0;
  for (let i = 0; i < UUID_BYTES; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) at++;
    UUID_TEXT[at++] = DIGITS[bytes[i]! >> 4]!;
    UUID_TEXT[at++] = DIGITS[bytes[i]! & 15]!;
  }
  return UUID_TEXT.toString('latin1');
}
