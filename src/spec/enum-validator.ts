/**
 * The server's check of a decoded body: an enum in the document may not have its unknown value, although the decoder
 * accepts that value (B-GEN-025, B-GEN-063).
 */
import { isJsonObject } from '../daml/model/own-members.js';
import { UNRECOGNIZED } from './reading-scalars.js';
import { join, member } from './reading-words.js';
import { refName, type JsonSchema, type Schemas } from './schema.js';

/** Adds the faults in a value. */
type Check = (value: unknown, path: string, errors: string[]) => void;

/** By the messages of a release: releases share the schemas that are the same, but not all messages that those name. */
const checks = new WeakMap<Schemas, WeakMap<JsonSchema, { readonly check: Check | undefined }>>();

/** @returns a text for each enum that has its unknown value */
export function unknownEnumValues(
  schema: JsonSchema,
  schemas: Schemas,
  value: unknown,
): readonly string[] {
  let ofRelease = checks.get(schemas);
  if (ofRelease === undefined) checks.set(schemas, (ofRelease = new WeakMap()));
  let known = ofRelease.get(schema);
  if (known === undefined)
    ofRelease.set(schema, (known = { check: checkOf(schema, schemas, new Set()) }));
  const errors: string[] = [];
  known.check?.(value, '', errors);
  return errors;
}

/** @returns undefined if there is no enum to check */
function checkOf(
  schema: JsonSchema,
  schemas: Schemas,
  around: ReadonlySet<string>,
): Check | undefined {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref);
    const target = schemas[name];
    if (target === undefined || around.has(name)) return undefined;
    return checkOf(target, schemas, new Set([...around, name]));
  }
  const { enum: names, items, properties } = schema;
  if (names !== undefined)
    return (value, path, errors) => {
      if (value === UNRECOGNIZED)
        errors.push(
          `expected ${path} to be one of (${names.join(', ')}), but got: ${UNRECOGNIZED}`,
        );
    };
  if (items !== undefined) {
    const check = checkOf(items, schemas, around);
    return (
      check &&
      ((value, path, errors) => {
        if (Array.isArray(value)) for (const item of value) check(item, path, errors);
      })
    );
  }
  const members = Object.entries(properties ?? {}).flatMap(([key, property]) => {
    const check = checkOf(property, schemas, around);
    return check === undefined ? [] : [{ key, check }];
  });
  if (members.length === 0) return undefined;
  return (value, path, errors) => {
    if (isJsonObject(value))
      for (const { key, check } of members) check(member(value, key), join(path, key), errors);
  };
}
