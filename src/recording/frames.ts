/**
 * Observes one direction of a WebSocket (RFC 6455, 5.2), and reads complete messages from the bytes that pass. It
 * never delays them. For a message over the limit, it reports only the length.
 */

/** A text, or bytes; undefined if the message was too long. */
export interface FrameMessage {
  readonly isText: boolean;
  readonly data: Buffer | undefined;
  readonly length: number;
}

const FINAL = 0x80;
const CONTROL = 0x08;
const TEXT = 1;

export class FrameReader {
  private pending = Buffer.alloc(0);
  private parts: Buffer[] = [];
  private length = 0;
  private opcode = 0;
  /** The frame whose payload is being read, with its remaining bytes. */
  private frame?: { left: bigint; done: bigint; mask?: Buffer; first: number };

  /** @param limit the most bytes of a message to keep */
  constructor(
    private readonly onMessage: (message: FrameMessage) => void,
    private readonly limit: number,
  ) {}

  push(chunk: Buffer): void {
    let bytes = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    this.pending = Buffer.alloc(0);
    for (;;) {
      if (this.frame === undefined) {
        const head = headOf(bytes);
        if (head === undefined) {
          this.pending = Buffer.from(bytes);
          return;
        }
        bytes = bytes.subarray(head.size);
        this.begin(head);
      }
      const frame = this.frame!;
      const here = Number(frame.left < BigInt(bytes.length) ? frame.left : BigInt(bytes.length));
      this.take(bytes.subarray(0, here));
      bytes = bytes.subarray(here);
      if (frame.left > 0n) return;
      this.frame = undefined;
      this.end(frame.first);
      if (bytes.length === 0) return;
    }
  }

  private begin({ first, length, mask }: Head): void {
    this.frame = { left: length, done: 0n, first, ...(mask && { mask }) };
    const opcode = first & 0x0f;
    if ((opcode & CONTROL) !== 0 || opcode === 0) return;
    this.opcode = opcode;
    this.parts = [];
    this.length = 0;
  }

  private take(part: Buffer): void {
    const frame = this.frame!;
    const { mask, done, first } = frame;
    frame.left -= BigInt(part.length);
    frame.done += BigInt(part.length);
    if ((first & CONTROL) !== 0) return;
    this.length += part.length;
    if (this.length > this.limit) return void (this.parts = []);
    const copy = Buffer.from(part);
    if (mask !== undefined) {
      const shift = Number(done % 4n);
      for (let i = 0; i < copy.length; i++) copy[i]! ^= mask[(i + shift) % 4]!;
    }
    this.parts.push(copy);
  }

  private end(first: number): void {
    if ((first & FINAL) === 0 || (first & CONTROL) !== 0) return;
    const data = this.length > this.limit ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.onMessage({ isText: this.opcode === TEXT, data, length: this.length });
  }
}

interface Head {
  readonly size: number;
  readonly first: number;
  readonly length: bigint;
  readonly mask?: Buffer;
}

function headOf(bytes: Buffer): Head | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes[0]!, bytes[1]!];
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const size = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < size) return undefined;
  const length =
    lengthBytes === 0
      ? BigInt(short)
      : lengthBytes === 2
        ? BigInt(bytes.readUInt16BE(2))
        : bytes.readBigUInt64BE(2);
  const mask = isMasked ? Buffer.from(bytes.subarray(size - 4, size)) : undefined;
  return { size, first, length, ...(mask && { mask }) };
}
