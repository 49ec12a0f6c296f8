/** The form of a method of the Wallet Gateway, and the parts of its schemas. */

/** JSON Schema, as far as the documents use it. */
export interface RpcSchema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'null';
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RpcSchema>>;
  readonly additionalProperties?: boolean;
  readonly items?: RpcSchema;
  readonly oneOf?: readonly RpcSchema[];
}

/** Schemas by name. A reference to one is `#/components/schemas/Name`. */
export type RpcSchemas = Readonly<Record<string, RpcSchema>>;

export interface RpcMethod {
  /** In one sentence. */
  readonly description: string;
  /** The schema of `params`, which is one object. Absent for a method without parameters. */
  readonly params?: RpcSchema;
  readonly result: RpcSchema;
}

/** The methods of one API, by name, in the order of its document. */
export type RpcMethods<Name extends string = string> = Readonly<Record<Name, RpcMethod>>;

/** An API of the gateway: the contents of its OpenRPC document. */
export interface RpcApi<Name extends string = string> {
  readonly title: string;
  readonly version: string;
  readonly methods: RpcMethods<Name>;
  readonly schemas: RpcSchemas;
}

export const text: RpcSchema = { type: 'string' };
export const flag: RpcSchema = { type: 'boolean' };
export const uri: RpcSchema = { type: 'string', format: 'uri' };
export const dateTime: RpcSchema = { type: 'string', format: 'date-time' };
export const anyObject: RpcSchema = { type: 'object', additionalProperties: true };
export const ref = (name: string): RpcSchema => ({ $ref: `#/components/schemas/${name}` });
export const list = (items: RpcSchema): RpcSchema => ({ type: 'array', items });
export const oneOf = (...values: readonly string[]): RpcSchema => ({
  type: 'string',
  enum: values,
});

/** An object without other members. The required ones come first. */
export const object = (
  required: Readonly<Record<string, RpcSchema>>,
  optional: Readonly<Record<string, RpcSchema>> = {},
): RpcSchema => ({
  type: 'object',
  additionalProperties: false,
  properties: { ...required, ...optional },
  ...(Object.keys(required).length > 0 && { required: Object.keys(required) }),
});
