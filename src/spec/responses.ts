/**
 * Completes an answer as the real servers print it. Optional members without a value are explicit nulls (B-GEN-014,
 * S-GEN-023), except those that a document marks as omitted (S-GEN-024). On the Ledger API optional lists and maps
 * are written empty, and members that a release does not have are omitted.
 */
import type { Api } from './api.js';
import type { Operation } from './operations.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { refName, type Content, type JsonSchema, type Schemas } from './schema.js';

/** The content that a document states for a status: its own row, otherwise `default`. */
export function contentFor(operation: Operation, status: number): Content | undefined {
  return operation.responses[String(status)] ?? operation.responses.default;
}

/** The body with every optional member written out. Nothing is changed in place. */
export function completeResponse(operation: Operation, status: number, body: unknown): unknown {
  const content = contentFor(operation, status);
  if (content?.schema === undefined || content.contentType !== 'application/json') return body;
  return completerFor(operation).complete(content.schema, body);
}

/** The same for one element of a list that an operation answers with. */
export function completeElement(operation: Operation, element: unknown): unknown {
  const { items = ANYTHING } = operation.responses['200']?.schema ?? ANYTHING;
  return completerFor(operation).complete(items, element);
}

const ANYTHING: JsonSchema = {};

/** Messages whose handler writes each member, in the order of its release, which its document does not show (B-GEN-034). */
const WHOLE: ReadonlySet<string> = new Set(['ProtoAny']);
const COMPLETERS = new WeakMap<Schemas, Completer>();

function completerFor({ api, schemas }: Operation): Completer {
  let completer = COMPLETERS.get(schemas);
  if (completer === undefined) COMPLETERS.set(schemas, (completer = new Completer(schemas, api)));
  return completer;
}

type Complete = (value: unknown) => unknown;
type Fields = Record<string, unknown>;
type CompleteObject = (value: Fields) => unknown;

/** Makes the completer of each schema's values, once. */
class Completer {
  private readonly bySchema = new WeakMap<JsonSchema, Complete>();
  private readonly plainBySchema = new WeakMap<JsonSchema, CompleteObject>();
  private readonly mergedBySchema = new WeakMap<JsonSchema, JsonSchema>();
  private readonly isLedger: boolean;

  constructor(
    private readonly schemas: Schemas,
    api: Api,
  ) {
    this.isLedger = api === 'ledger';
  }

  complete(schema: JsonSchema, value: unknown): unknown {
    return this.completeOf(schema)(value);
  }

  private completeOf(schema: JsonSchema): Complete {
    let complete = this.bySchema.get(schema);
    if (complete === undefined) this.bySchema.set(schema, (complete = this.made(schema)));
    return complete;
  }

  private made(schema: JsonSchema): Complete {
    const { $ref, items } = schema;
    if ($ref !== undefined && this.isLedger && WHOLE.has(refName($ref))) return (value) => value;
    // Messages are recursive, so the target of a schema is resolved at its first value.
    let inner: Complete | undefined;
    if ($ref !== undefined)
      return (value) => (inner ??= this.completeOf(this.message($ref)))(value);
    let object: CompleteObject | undefined;
    return (value) => {
      if (value === null || value === undefined) return null;
      if (Array.isArray(value))
        return items === undefined ? value : value.map((inner ??= this.completeOf(items)));
      if (!isJsonObject(value)) return value;
      return (object ??= this.objectOf(schema))(value);
    };
  }

  private message($ref: string): JsonSchema {
    return this.schemas[refName($ref)] ?? ANYTHING;
  }

  private objectOf(schema: JsonSchema): CompleteObject {
    if (this.depends(schema)) return (value) => this.plain(this.chosen(schema, value))(value);
    return this.plain(this.chosen(schema, {}));
  }

  /** Whether it depends on the value which schema applies. */
  private depends(schema: JsonSchema): boolean {
    if (schema.$ref !== undefined) return this.depends(this.message(schema.$ref));
    return schema.oneOf !== undefined || (schema.allOf ?? []).some((part) => this.depends(part));
  }

  /** @param schema neither a choice nor a combination of others */
  private plain(schema: JsonSchema): CompleteObject {
    let complete = this.plainBySchema.get(schema);
    if (complete === undefined)
      this.plainBySchema.set(
        schema,
        (complete = schema.properties ? this.members(schema) : this.map(schema)),
      );
    return complete;
  }

  private map({ additionalProperties }: JsonSchema): CompleteObject {
    if (typeof additionalProperties !== 'object') return (value) => value;
    const complete = this.completeOf(additionalProperties);
    return (value) =>
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, complete(item)]));
  }

  private members(schema: JsonSchema): CompleteObject {
    const { properties = {}, required = [] } = schema;
    const members = Object.entries(properties).map(([key, property]) => ({
      key,
      complete: this.completeOf(property),
      absent: property['x-omit-null'] || required.includes(key) ? undefined : this.absent(property),
    }));
    const completeStated: CompleteObject = (value) => {
      const whole: Fields = {};
      for (const { key, complete, absent } of members) {
        const given = Object.hasOwn(value, key) ? value[key] : undefined;
        if (given !== undefined) whole[key] = complete(given);
        else if (absent !== undefined) whole[key] = absent();
      }
      return whole;
    };
    // A handler of the Ledger API answers as the newest release; members that an older release does not have are
    // left out.
    if (this.isLedger) return completeStated;
    return (value) => {
      const more = Object.entries(value).filter(([key]) => !Object.hasOwn(properties, key));
      const stated = completeStated(value);
      if (more.length === 0) return stated;
      return Object.fromEntries([...Object.entries(stated as Fields), ...more]);
    };
  }

  private absent(property: JsonSchema): () => unknown {
    if (!this.isLedger) return () => null;
    const target = property.$ref === undefined ? property : this.message(property.$ref);
    if (target.type === 'array') return () => [];
    return target.type === 'object' && typeof target.additionalProperties === 'object'
      ? () => ({})
      : () => null;
  }

  /** The one object schema that applies: allOf merged, the variant of a oneOf picked by its tag or its member. */
  private chosen(schema: JsonSchema, value: Fields): JsonSchema {
    if (schema.$ref !== undefined) return this.chosen(this.message(schema.$ref), value);
    if (schema.allOf) return this.merged(schema, schema.allOf, value);
    if (!schema.oneOf) return schema;
    const { propertyName, mapping } = schema.discriminator ?? {};
    const tag = propertyName === undefined ? undefined : mapping?.[String(value[propertyName])];
    if (tag !== undefined) return this.chosen({ $ref: tag }, value);
    for (const variant of schema.oneOf) {
      const candidate = this.chosen(variant, value);
      const { required = [] } = candidate;
      if (required.length > 0 && required.every((name) => Object.hasOwn(value, name)))
        return candidate;
    }
    return ANYTHING;
  }
  private merged(schema: JsonSchema, allOf: readonly JsonSchema[], value: Fields): JsonSchema {
    const known = this.mergedBySchema.get(schema);
    if (known !== undefined) return known;
    const parts = allOf.map((part) => this.chosen(part, value));
    const merged: JsonSchema = {
      properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<
        string,
        JsonSchema
      >,
      required: parts.flatMap((part) => part.required ?? []),
    };
    if (!this.depends(schema)) this.mergedBySchema.set(schema, merged);
    return merged;
  }
}
