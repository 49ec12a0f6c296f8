/**
 * Checks the parameters of a method by the schemas of its document.
 * NOTE: the gateway does not check them, so that a wrong type fails later, in its code or at the participant. Like the
 * gateway, this ignores unknown members. A required member that the document does not describe may be absent.
 */
import type { RpcApi, RpcSchema } from './method.js';

/** @returns the reason why the method cannot take the parameters; undefined if it can */
export function paramsError(
  { methods, schemas }: RpcApi,
  method: string,
  params: unknown,
): string | undefined {
  const schema = methods[method]?.params;
  return schema === undefined ? undefined : errorOf(schema, params ?? {}, 'params');

  function errorOf(given: RpcSchema, value: unknown, path: string): string | undefined {
    const found = resolved(given);
    const { type, items, enum: values } = found;
    if (values !== undefined && !values.includes(value as never))
      return `${path} must be one of ${values.join(', ')}`;
    switch (type) {
      case 'string':
      case 'boolean':
        return typeof value === type ? undefined : `${path} must be a ${type}`;
      case 'array':
        if (!Array.isArray(value)) return `${path} must be a list`;
        return first(value.map((each, index) => () => errorOf(items!, each, `${path}[${index}]`)));
      case 'object':
        return objectError(found, value, path);
      default:
        return undefined;
    }
  }

  function objectError(
    { properties, required = [] }: RpcSchema,
    value: unknown,
    path: string,
  ): string | undefined {
    if (typeof value !== 'object' || value === null) return `${path} must be an object`;
    // The Ledger API takes a list where the document has an object of any form.
    if (properties === undefined) return undefined;
    if (Array.isArray(value)) return `${path} must be an object`;
    const members = value as Readonly<Record<string, unknown>>;
    return first(
      Object.entries(properties).map(([name, schema]) => () => {
        const member = members[name];
        if (member !== undefined) return errorOf(schema, member, `${path}.${name}`);
        return required.includes(name) ? `${path}.${name} is missing` : undefined;
      }),
    );
  }

  function resolved(given: RpcSchema): RpcSchema {
    const name = given.$ref?.split('/').at(-1);
    return name === undefined ? given : resolved(schemas[name]!);
  }
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const error = check();
    if (error !== undefined) return error;
  }
  return undefined;
}
