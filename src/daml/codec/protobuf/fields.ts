/** The field numbers of the transaction value protobuf, `com.digitalasset.daml.lf.value`. */

/** Canton's version of the encoding of contracts without keys. */
export const SERIALIZATION_VERSION = '2.1';

/** Canton's version of the encoding of contracts with keys. */
export const KEYED_SERIALIZATION_VERSION = '2';

/** Canton's version of the encoding of exercises with results of external calls (R-36-064). */
export const EXTENDED_SERIALIZATION_VERSION = '3';

/** The versions, oldest first; \`V1\` is the first one in texts. */
export const SERIALIZATION_VERSIONS: readonly string[] = [
  SERIALIZATION_VERSION,
  KEYED_SERIALIZATION_VERSION,
  EXTENDED_SERIALIZATION_VERSION,
];

/** As texts name it. */
export const serializationName = (version: string): string =>
  `V${SERIALIZATION_VERSIONS.indexOf(version) + 1}`;

/** The members of `Value`. */
export const VALUE_FIELD = {
  unit: 1,
  bool: 2,
  int64: 3,
  date: 4,
  timestamp: 5,
  numeric: 6,
  party: 7,
  text: 8,
  contractId: 9,
  optional: 10,
  list: 11,
  genMap: 12,
  record: 13,
  variant: 14,
  enum: 15,
  textMap: 16,
} as const;
