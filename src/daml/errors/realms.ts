/**
 * What a value of JavaScript is, told by its structure. A test runner may give a test file globals of another realm (jsdom has its own
 * `Uint8Array`, and a sandbox of jest its own `Error`), while Node's modules keep theirs: between these, `instanceof` says no of a value
 * that is one. A lint rule keeps it out.
 */

/** Bytes: a `Uint8Array`, of which `Buffer` is one kind. */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && tagOf(value) === 'Uint8Array';

/** @param name of a kind of error that JavaScript has, such as `RangeError` */
export const isError = (value: unknown, name?: string): value is Error =>
  typeof value === 'object' &&
  value !== null &&
  'message' in value &&
  typeof value.message === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'stack' in value &&
  (name === undefined || value.name === name);

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

export const isMap = (value: unknown): value is Map<unknown, unknown> => tagOf(value) === 'Map';

export const isSet = (value: unknown): value is Set<unknown> => tagOf(value) === 'Set';

const tagOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Symbol.toStringTag in value
    ? value[Symbol.toStringTag]
    : undefined;
