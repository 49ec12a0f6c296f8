/**
 * The only source of randomness: a seeded, counter-based generator. A draw is the hash of the seed, its purpose and
 * its number, so that a revert of the counter also rewinds the generator. Not for secrets: ids must only be distinct.
 */
import { sha256, sha256Hex } from '../../daml/model/hash.js';
import { JournaledCell, type Journal } from './journal.js';

export class SeededRandom {
  private readonly counter: JournaledCell<number>;

  constructor(
    journal: Journal,
    private readonly seed: number,
  ) {
    this.counter = new JournaledCell(journal, 'random', 0);
  }

  /** 32 bytes in hexadecimal, different from all earlier draws. `purpose` separates draws of different kinds. */
  hex(purpose: string): string {
    return this.hexAt(purpose, this.nextDraw());
  }

  /** The same for draws with another number than the counter. Such a purpose must never use the counter. */
  hexAt(purpose: string, draw: number): string {
    return sha256Hex(`canticle/${this.seed}/${purpose}/${draw}`);
  }

  /** 32 bytes that depend only on the seed and the name: for ids that must not depend on earlier draws. */
  fixed(name: string): Uint8Array {
    return sha256(`canticle/${this.seed}/fixed/${name}`);
  }

  uuid(purpose: string): string {
    return this.uuidAt(purpose, this.nextDraw());
  }

  /** The draw has the number of {@link hexAt}. */
  uuidAt(purpose: string, draw: number): string {
    const digits = this.hexAt(purpose, draw);
    const variant = '89ab'[parseInt(digits[16]!, 16) & 3]!;
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      variant + digits.slice(17, 20),
      digits.slice(20, 32),
    ].join('-');
  }

  private nextDraw(): number {
    const draw = this.counter.value;
    this.counter.value = draw + 1;
    return draw;
  }
}
