/**
 * Shapes of external JSON for which Canticle has no schema. A shape checks each part that is used, and names the
 * part with a wrong type.
 */
import { isJsonObject } from '../daml/model/own-members.js';

/** @returns the error of the value, with its path; undefined if there is none */
export type Shape = (value: unknown, path: string) => string | undefined;

/** A member that may be absent. Null counts as absent, and is removed. */
export interface Optional {
  readonly optional: Shape;
}

export const optional = (shape: Shape): Optional => ({ optional: shape });

const kind =
  (name: string, is: (value: unknown) => boolean): Shape =>
  (value, path) =>
    is(value) ? undefined : `${path || 'it'} is not ${name}`;

export const aText = kind('a string', (value) => typeof value === 'string');
export const aFlag = kind('a boolean', (value) => typeof value === 'boolean');
export const aNumber = kind('a number', (value) => typeof value === 'number');
/** A safe integer from 0. */
export const aCount = kind(
  'an integer from 0',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
/** An integer, as a string. */
export const aWholeText = kind(
  'an integer as a string',
  (value) => typeof value === 'string' && /^-?\d{1,40}$/.test(value),
);
export const anObject = kind('an object', isJsonObject);

/** @param allowed the allowed values */
export const oneOf = (...allowed: readonly unknown[]): Shape =>
  kind(`one of ${allowed.join(', ')}`, (value) => allowed.includes(value));

/** One of two shapes; the error is that of the second one. */
export const eitherOf =
  (one: Shape, other: Shape): Shape =>
  (value, path) =>
    one(value, path) === undefined ? undefined : other(value, path);

export function listOf(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path || 'it'} is not a list`;
    for (let i = 0; i < value.length; i += 1) {
      const error = item(value[i], `${path}/${i}`);
      if (error !== undefined) return error;
    }
    return undefined;
  };
}

/** An object whose members are all of one shape. */
export function mapOf(item: Shape): Shape {
  return (value, path) => {
    const error = anObject(value, path);
    if (error !== undefined) return error;
    for (const [name, each] of Object.entries(value as object)) {
      const inside = item(each, `${path}/${name}`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };
}

/** An object with these members, and any others. */
export function anObjectOf(members: Readonly<Record<string, Shape | Optional>>): Shape {
  const all = Object.entries(members);
  return (value, path) => {
    if (!isJsonObject(value)) return anObject(value, path);
    for (const [name, shape] of all) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (typeof shape === 'function') {
        const error = shape(given, `${path}/${name}`);
        if (error !== undefined) return error;
      } else if (given === null) delete value[name];
      else if (given !== undefined) {
        const error = shape.optional(given, `${path}/${name}`);
        if (error !== undefined) return error;
      }
    }
    return undefined;
  };
}
