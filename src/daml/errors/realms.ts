/**
 * Checks the type of JavaScript values by their structure. A test runner can give a test file the globals of another realm: jsdom has its
 * own `Uint8Array`, and a jest sandbox its own `Error`. Node's modules keep their own globals, so that `instanceof` fails between realms.
 * A lint rule forbids it.
 */

/** Whether it is a `Uint8Array`, which includes `Buffer`. */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && tagOf(value) === 'Uint8Array';

/** @param name of a JavaScript error class, such as `RangeError` */
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
