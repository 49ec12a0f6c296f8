/**
 * The parties that a prepared transaction executes for. Empty if it cannot be read; the service then rejects it.
 */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { message, nested, optional, repeated, text } from '../../network/protobuf/messages.js';

interface SubmitterInfo {
  readonly actAs: readonly string[];
}

const Submitter = message<SubmitterInfo>({ actAs: repeated(1, text) });
const Metadata = message<{ readonly submitterInfo?: SubmitterInfo }>({
  submitterInfo: optional(
    2,
    nested(() => Submitter),
  ),
});
const Prepared = message<{ readonly metadata?: { readonly submitterInfo?: SubmitterInfo } }>({
  metadata: optional(
    2,
    nested(() => Metadata),
  ),
});

/** @param base64 the message as a request has it */
export function partiesOfPrepared(base64: string): readonly string[] {
  try {
    return Prepared.decode(Buffer.from(base64, 'base64')).metadata?.submitterInfo?.actAs ?? [];
  } catch (error) {
    if (error instanceof ProtobufError) return [];
    throw error;
  }
}
