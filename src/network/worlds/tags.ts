/**
 * The tags of values in a world's file. A value is a tag of one byte and the data of that tag. Numbers are LEB128,
 * signed ones zigzag. Texts, object shapes and shared objects get numbers from 0 after their first use, separately for
 * each kind; later uses refer to the number. Only equal lists of texts, contracts and updates are shared: the same
 * state always has the same bytes.
 */
export const TAG = {
  null: 0,
  undefined: 1,
  true: 2,
  false: 3,
  /** A safe integer. */
  integer: 4,
  /** Eight bytes, little endian. */
  double: 5,
  /** A bigint that is a safe integer. */
  bigint: 6,
  /** Any other, as its decimal text. */
  largeBigint: 7,
  /** The number of a text. */
  text: 8,
  /** The number of bytes, and the text in UTF-8. */
  newText: 9,
  /** A text of lower-case hexadecimal digits, with two digits in a byte. */
  newHex: 10,
  emptyList: 11,
  /** The number of values, and the values. */
  list: 12,
  emptyObject: 13,
  /** The number of a shape, and the values of its members. */
  object: 14,
  /** The number of members, their names as values, and their values. */
  newShape: 15,
  map: 16,
  set: 17,
  bytes: 18,
  /** The number of a shared object. */
  shared: 19,
  /** A package, by its id. */
  package: 20,
  /** A participant, by its name. */
  participant: 21,
  some: 22,
  variant: 23,
  numeric: 24,
  /** A rejection: code, details. */
  refusal: 25,
  /** The submitter. Generated ids are the numbers of their draws. */
  submission: 26,
  update: 27,
  /** A list of texts. */
  texts: 28,
  /** The contract object itself. */
  contract: 29,
  /** The bytes of a DAR, by their SHA-256. */
  dar: 30,
} as const;
