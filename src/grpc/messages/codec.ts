/** Reads and writes the messages of a release. */
import { definitionsOf, type DefinedRelease } from '../../network/protobuf/definitions/releases.js';
import type { Definitions } from '../../network/protobuf/definitions/definitions.js';
import { Fields } from './fields.js';
import { MessageReader } from './reader.js';
import { MessageWriter } from './writer.js';

export class Codec {
  private readonly reader: MessageReader;
  private readonly writer: MessageWriter;

  constructor(readonly definitions: Definitions) {
    const fields = new Fields(definitions, definitionsOf());
    this.reader = new MessageReader(fields);
    this.writer = new MessageWriter(fields);
  }

  /** @throws ProtobufError; LedgerError for a message that no object can represent */
  decode(type: string, bytes: Uint8Array): Record<string, unknown> {
    return this.reader.decode(type, bytes);
  }

  encode(type: string, value: unknown): Uint8Array {
    return this.writer.encode(type, value);
  }
}

const codecs = new Map<DefinedRelease | undefined, Codec>();

/** @param release by default, the default release of Canton */
export function codecOf(release?: DefinedRelease): Codec {
  let found = codecs.get(release);
  if (found === undefined) codecs.set(release, (found = new Codec(definitionsOf(release))));
  return found;
}

/** Of messages that are the same in all releases, such as those of gRPC itself. */
export const USUAL = codecOf();
