/** The `google.rpc` messages with details of an error, with the members that a participant sets. */
import {
  message,
  nested,
  plain,
  repeated,
  submessage,
  text,
  uint64,
} from '../../../network/protobuf/messages.js';

const Entry = message<{ readonly key: string; readonly value: string }>({
  key: plain(1, text),
  value: plain(2, text),
});
export const ErrorInfo = message<{
  readonly reason: string;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}>({
  reason: plain(1, text),
  metadata: repeated(
    3,
    nested(() => Entry),
  ),
});
const Duration = message<{ readonly seconds: bigint }>({ seconds: plain(1, uint64) });
export const RetryInfo = message<{ readonly delay?: { readonly seconds: bigint } }>({
  delay: submessage(1, () => Duration),
});
export const RequestInfo = message<{ readonly requestId: string }>({ requestId: plain(1, text) });
export const ResourceInfo = message<{ readonly type: string; readonly name: string }>({
  type: plain(1, text),
  name: plain(2, text),
});
