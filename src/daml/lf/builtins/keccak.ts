/** Keccak-256 with its original padding, which Node's SHA3 does not have (Daml-LF's `KECCAK256_TEXT`). */
const LANE = 64n;
const MASK = (1n << LANE) - 1n;
const RATE = 136;

function rotate(lane: bigint, by: number): bigint {
  const shift = BigInt(by % 64);
  return ((lane << shift) | (lane >> (LANE - shift))) & MASK;
}

/** Round constants from the linear feedback shift register of the specification. */
const ROUND_CONSTANTS: readonly bigint[] = (() => {
  let register = 1;
  const nextBit = (): number => {
    const bit = register & 1;
    register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
    return bit;
  };
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let power = 0; power < 7; power += 1)
      if (nextBit() === 1) constant |= 1n << BigInt(2 ** power - 1);
    return constant;
  });
})();

function permute(state: bigint[]): void {
  for (const constant of ROUND_CONSTANTS) {
    const parity = [0, 1, 2, 3, 4].map((x) =>
      [0, 5, 10, 15, 20].reduce((sum, row) => sum ^ state[x + row]!, 0n),
    );
    for (let index = 0; index < 25; index += 1) {
      const x = index % 5;
      state[index]! ^= parity[(x + 4) % 5]! ^ rotate(parity[(x + 1) % 5]!, 1);
    }
    let [x, y, lane] = [1, 0, state[1]!];
    for (let step = 0; step < 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const at = x + 5 * y;
      const before = state[at]!;
      state[at] = rotate(lane, ((step + 1) * (step + 2)) / 2);
      lane = before;
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5);
      for (let at = 0; at < 5; at += 1)
        state[row + at] = lanes[at]! ^ (~lanes[(at + 1) % 5]! & MASK & lanes[(at + 2) % 5]!);
    }
    state[0]! ^= constant;
  }
}

export function keccak256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length]! ^= 0x01;
  padded[padded.length - 1]! ^= 0x80;
  const state = Array.from({ length: 25 }, () => 0n);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let lane = 0; lane < RATE / 8; lane += 1)
      state[lane]! ^= view.getBigUint64(block + lane * 8, true);
    permute(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let lane = 0; lane < 4; lane += 1) digest.setBigUint64(lane * 8, state[lane]!, true);
  return new Uint8Array(digest.buffer);
}
