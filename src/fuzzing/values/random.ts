/** A fast seeded generator of random numbers: xoshiro128**. It is not for secrets. */
const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** A step of splitmix32, which spreads the bits of a seed. */
function spread(word: number): number {
  let mixed = (word + 0x9e3779b9) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

export class Random {
  private a = 0x243f6a88;
  private b = 0x85a308d3 | 0;
  private c = 0x13198a2e;
  private d = 0x03707344;

  /** The same text gives the same numbers. */
  constructor(seed: string) {
    for (let i = 0; i < seed.length; i++) {
      const word = spread(this.d ^ seed.charCodeAt(i));
      this.d = this.c;
      this.c = this.b;
      this.b = this.a;
      this.a = spread(word ^ this.a) | 0;
    }
    for (let i = 0; i < 8; i++) this.next();
  }

  /** 32 random bits, from 0. */
  next(): number {
    const result = Math.imul(rotated(Math.imul(this.b, 5), 7), 9);
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = rotated(this.d, 11);
    return result >>> 0;
  }

  /** An integer from 0 to `end` - 1. @param end at most 2^21, so that the product is exact */
  below(end: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * end);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability * 0x1_0000_0000;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** 64 random bits, signed. */
  int64(): bigint {
    return BigInt.asIntN(64, (BigInt(this.next()) << 32n) | BigInt(this.next()));
  }
}
