/** The part of `node:util` that the engine uses, for browsers. */
const { TextDecoder, TextEncoder } = globalThis;
export { TextDecoder, TextEncoder };

export const inspect = Object.assign(
  (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value)),
  { custom: Symbol.for('nodejs.util.inspect.custom') },
);
