/** The JVM protobuf library's texts for the errors of the reader used here. */

const TRUNCATED =
  'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.';

const JVM_WORDS: readonly (readonly [fault: RegExp, words: string])[] = [
  [/^illegal tag: field no 0 /, 'Protocol message contained an invalid tag (zero).'],
  [/^(?:illegal tag|cant skip)/, 'Protocol message tag had invalid wire type.'],
  [/^invalid varint/, 'CodedInputStream encountered a malformed varint.'],
  [/^invalid end group tag/, 'Protocol message end-group tag did not match expected tag.'],
  [/encoding utf-8|encoded data was not valid/, 'Protocol message had invalid UTF-8.'],
  [
    /^maximum (?:recursion|call stack)|nesting/i,
    'Protocol message had too many levels of nesting.  May be malicious.  Use setRecursionLimit() to increase the recursion depth limit.',
  ],
  [/^premature EOF/, TRUNCATED],
];

export function jvmWords(error: string): string {
  return JVM_WORDS.find(([pattern]) => pattern.test(error))?.[1] ?? error;
}

/** The exception as the JVM prints it. */
export function jvmException(error: string): string {
  const words = jvmWords(error);
  const kind = words.endsWith('invalid wire type.') ? '$InvalidWireTypeException' : '';
  return `com.google.protobuf.InvalidProtocolBufferException${kind}: ${words}`;
}
