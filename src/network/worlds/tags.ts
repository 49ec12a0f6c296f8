/**
 * The tags of a file of a world: what a value in it is. Each value is its tag, one byte, and what the tag says follows. Numbers
 * follow as LEB128, signed ones zigzag. Texts, shapes of objects and what is shared are numbered from 0 where they first end, each
 * kind by itself, and are then named by their number. Shared are lists of texts that are equal, contracts and updates, and nothing
 * else: the same state has the same bytes, whichever way it was come to.
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
  /** Number of a text. */
  text: 8,
  /** Bytes of UTF-8, and how many before them. */
  newText: 9,
  /** A text of lower-case hexadecimal digits: half as many bytes. */
  newHex: 10,
  emptyList: 11,
  /** How many, and their values. */
  list: 12,
  emptyObject: 13,
  /** Number of a shape, and the values of its members. */
  object: 14,
  /** How many members, their names as values, and their values. */
  newShape: 15,
  map: 16,
  set: 17,
  bytes: 18,
  /** Number of what is shared. */
  shared: 19,
  /** A package, by its id. */
  package: 20,
  /** A participant, by its name. */
  participant: 21,
  some: 22,
  variant: 23,
  numeric: 24,
  /** A refusal: code, details. */
  refusal: 25,
  /** Who submitted, with ids that were made up as the numbers of their draws. */
  submission: 26,
  update: 27,
  /** A list of texts. */
  texts: 28,
  /** The object that is a contract. */
  contract: 29,
  /** The bytes of a DAR, by their SHA-256. */
  dar: 30,
} as const;
