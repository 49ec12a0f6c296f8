/** The frames of gRPC: a flag for compression, four bytes of length, a message. */
import { gunzipSync } from 'node:zlib';

/** A protocol error of the client below its messages: a gRPC status code, and a text. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  constructor(
    readonly code: number,
    text: string,
    /** The bytes of a google.rpc.Status. */
    readonly details?: Uint8Array,
  ) {
    super(text);
  }
}

/** The status that ends the call. */
export const faultStatus = ({ code, message, details }: GrpcError) => ({ code, message, details });

const HEAD_BYTES = 5;
const RESOURCE_EXHAUSTED = 8;
const INTERNAL = 13;
const UNKNOWN = 2;
const COMPRESSED = 1;

/** Reads whole messages from chunks. */
export class FrameReader {
  private pending: Buffer[] = [];
  private size = 0;
  private wanted = HEAD_BYTES;

  /** @param encoding of compressed messages; undefined if compression is not allowed */
  constructor(
    private readonly maxBytes: number,
    private readonly encoding: string | undefined,
  ) {}

  /** Bytes of a message that is not complete yet. */
  get pendingBytes(): number {
    return this.size;
  }

  /** The name of an encoding that the server cannot decode. */
  get unknownEncoding(): string | undefined {
    const { encoding } = this;
    return encoding === 'gzip' || encoding === 'identity' ? undefined : encoding;
  }

  /** The message of a chunk that is exactly one frame, as most are; undefined if {@link add} must read the chunk. */
  whole(chunk: Buffer): Uint8Array | undefined {
    const isOne =
      this.size === 0 &&
      chunk.length >= HEAD_BYTES &&
      chunk[0] === 0 &&
      chunk.length <= this.maxBytes;
    if (!isOne || chunk.readUInt32BE(1) !== chunk.length - HEAD_BYTES) return undefined;
    return chunk.subarray(HEAD_BYTES);
  }

  /** @throws GrpcError for a message that is too large, or compressed without a declared encoding */
  *add(chunk: Buffer): Generator<Uint8Array> {
    this.pending.push(chunk);
    this.size += chunk.length;
    while (this.size >= this.wanted) {
      const all = this.pending.length === 1 ? this.pending[0]! : Buffer.concat(this.pending);
      this.pending = [all];
      if (all[0]! > COMPRESSED)
        throw new GrpcError(INTERNAL, 'gRPC frame header malformed: reserved bits not zero');
      const length = all.readUInt32BE(1);
      if (length > this.maxBytes)
        throw new GrpcError(
          RESOURCE_EXHAUSTED,
          `gRPC message exceeds maximum size ${this.maxBytes}: ${length}`,
        );
      this.wanted = HEAD_BYTES + length;
      if (this.size < this.wanted) return;
      const rest = all.subarray(this.wanted);
      const message = all.subarray(HEAD_BYTES, this.wanted);
      this.pending = rest.length === 0 ? [] : [rest];
      this.size = rest.length;
      this.wanted = HEAD_BYTES;
      yield all[0] === 0 ? message : this.expanded(message);
    }
  }

  /** @throws GrpcError if the stream ends inside a message */
  end(): void {
    if (this.size > 0) throw new GrpcError(INTERNAL, 'Encountered end-of-stream mid-frame');
  }

  private expanded(message: Uint8Array): Uint8Array {
    if (this.encoding !== 'gzip')
      throw new GrpcError(
        INTERNAL,
        "Can't decode compressed gRPC message as compression not configured",
      );
    try {
      return gunzipSync(message, { maxOutputLength: this.maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw new GrpcError(
          RESOURCE_EXHAUSTED,
          `Decompressed gRPC message exceeds maximum size ${this.maxBytes}`,
        );
      throw new GrpcError(UNKNOWN, '');
    }
  }
}

/** Several messages in one buffer. */
export function framed(messages: readonly Uint8Array[]): Buffer {
  const size = messages.reduce((sum, { length }) => sum + HEAD_BYTES + length, 0);
  const frames = Buffer.allocUnsafe(size);
  let at = 0;
  for (const message of messages) {
    frames[at] = 0;
    frames.writeUInt32BE(message.length, at + 1);
    frames.set(message, at + HEAD_BYTES);
    at += HEAD_BYTES + message.length;
  }
  return frames;
}
