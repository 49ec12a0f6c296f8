/**
 * Decodes a raw HTTP request into a handler's input, or returns the real server's error. The errors have three forms:
 * the participant's (tapir, plain text), Splice's (pekko-http, plain text), and that of Canticle's controls. NOTE: the
 * texts of tapir and pekko-http were observed on their servers, because their sources are not part of the ledger's. The
 * texts for controls are Canticle's.
 */
import type { Api } from './api.js';
import { controlReading } from './control/decoding.js';
import { ledgerReading } from './ledger-api/decoding.js';
import type { Operation } from './operations.js';
import { unknownEnumValues } from './enum-validator.js';
import { Reader, type Issue, type ReadingRules } from './reading.js';
import { spliceReading } from './scan/decoding.js';
import { refName, type JsonSchema, type Parameter, type Schemas } from './schema.js';

export interface RawRequest {
  /** Path parameters, percent-decoded. */
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON body or the bytes; undefined without a body. */
  body?: unknown;
}

export interface DecodedInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface Refusal {
  ok: false;
  status: 400 | 404;
  /** The complete text of the real server. */
  text: string;
  /** Whether the answer is the JSON of other errors of its API, although its server writes plain text. */
  isJson?: boolean;
  /** The path and cause, for the request journal and for error bodies of another form. */
  path: string;
  reason: string;
  /** The first text in the body that should name a type and does not. */
  identifier?: string;
}

export type Decoded = { ok: true; input: DecodedInput } | Refusal;

/** The texts of an API's errors. */
interface Wording {
  body(errors: readonly Issue[]): string;
  bodyText(reason: string): string;
  bodyMissing: string;
  parameter(parameter: Parameter, reason: string): Pick<Refusal, 'status' | 'text' | 'isJson'>;
}

const at = (error: Issue): string =>
  error.path === '' ? error.reason : `${error.reason} at '${error.path}'`;
const PLACES = { query: 'query parameter', path: 'path parameter' } as const;

const tapir: Wording = {
  body: (errors) => tapir.bodyText(errors.map(at).join(', ')),
  bodyText: (reason) => `Invalid value for: body (${reason})`,
  bodyMissing: 'exhausted input',
  parameter: ({ name, in: place }, reason) => {
    const suffix = reason === 'missing' || reason === 'multiple values' ? ` (${reason})` : '';
    return { status: 400, text: `Invalid value for: ${PLACES[place]} ${name}${suffix}` };
  },
};

/** The text for an unknown path, as from the router of Splice's apps. */
export const NO_ROUTE = 'The requested resource could not be found.';
const pekko: Wording = {
  body: ([error]) =>
    pekko.bodyText(
      `DecodingFailure at ${error?.path ? `.${error.path}` : ''}: ${error?.reason ?? ''}`,
    ),
  bodyText: (reason) =>
    reason === pekko.bodyMissing ? reason : `The request content was malformed:\n${reason}`,
  bodyMissing: 'Request entity expected but not supplied',
  parameter: ({ name, in: place }, reason) => {
    // A path with a parameter of the wrong type matches no route.
    if (place === 'path') return { status: 404, text: NO_ROUTE };
    if (reason === 'missing')
      return { status: 404, text: `Request is missing required query parameter '${name}'` };
    return { status: 400, text: `The query parameter '${name}' was malformed:\n${reason}` };
  },
};

/** A paymaster's server is not one of Splice's apps: its document has a JSON answer for requests that it cannot read. */
const paymaster: Wording = {
  ...pekko,
  parameter: ({ name }, reason) => ({
    status: 400,
    text: `The query parameter '${name}' is ${reason}.`,
    isJson: true,
  }),
};

const controls: Wording = {
  body: (errors) => errors.map(at).join(', '),
  bodyText: (reason) => reason,
  bodyMissing: 'A JSON body is needed.',
  parameter: ({ name, in: place }, reason) => ({
    status: 400,
    text: `The ${PLACES[place]} ${name}: ${reason}`,
  }),
};

const WORDINGS: Readonly<Record<Api, Wording>> = {
  ledger: tapir,
  scan: pekko,
  registry: pekko,
  validator: pekko,
  wallet: pekko,
  names: pekko,
  sv: pekko,
  control: controls,
};

const wordingOf = ({ api, path }: Operation): Wording =>
  path.startsWith('/registry/traffic-purchase/') ? paymaster : WORDINGS[api];

/** The reading rules of each API. */
export const READING_RULES: Readonly<Record<Api, ReadingRules>> = {
  ledger: ledgerReading,
  scan: spliceReading,
  registry: spliceReading,
  validator: spliceReading,
  wallet: spliceReading,
  names: spliceReading,
  sv: spliceReading,
  control: controlReading,
};

const READERS = new WeakMap<Schemas, Reader>();

function readerOf({ api, schemas }: Operation): Reader {
  const known = READERS.get(schemas);
  if (known !== undefined) return known;
  const made = new Reader(schemas, READING_RULES[api]);
  READERS.set(schemas, made);
  return made;
}

/** In the order of both real servers: path, query, body. */
export function decodeRequest(operation: Operation, raw: RawRequest): Decoded {
  const parameters = decodeParameters(operation, raw);
  return parameters.ok ? decodeBody(operation, parameters.input, raw.body) : parameters;
}

/** In the order path, query. The input has no body. */
export function decodeParameters(operation: Operation, raw: Omit<RawRequest, 'body'>): Decoded {
  const wording = wordingOf(operation);
  const input: DecodedInput = { path: {}, query: {}, body: undefined };
  const ordered = [...(operation.parameters ?? [])].sort(
    (a, b) => Number(a.in === 'query') - Number(b.in === 'query'),
  );
  for (const parameter of ordered) {
    const reading = readParameter(operation, parameter, raw[parameter.in][parameter.name]);
    if ('reason' in reading) {
      const { reason } = reading;
      return { ok: false, path: parameter.name, reason, ...wording.parameter(parameter, reason) };
    }
    if (reading.value !== undefined) input[parameter.in][parameter.name] = reading.value;
  }
  return { ok: true, input };
}

/** @param input the decoded parameters */
export function decodeBody(operation: Operation, input: DecodedInput, given: unknown): Decoded {
  const wording = WORDINGS[operation.api];
  const body = operation.request?.schema;
  if (body === undefined) return { ok: true, input };
  if (operation.request?.contentType !== 'application/json') {
    return { ok: true, input: { ...input, body: given ?? new Uint8Array() } };
  }
  if (operation.request.optional && (given ?? null) === null) return { ok: true, input };
  if (given === undefined) return refuseBody(operation.api, wording.bodyMissing);
  const reading = readerOf(operation).read(body, given);
  if (!reading.errors) {
    const unknown = unknownEnumValues(body, operation.schemas, reading.value).join(', ');
    if (unknown !== '') return refuseBody(operation.api, unknown);
    return { ok: true, input: { ...input, body: reading.value } };
  }
  const [first] = reading.errors;
  return {
    ok: false,
    status: 400,
    text: wording.body(reading.errors),
    path: first?.path ?? '',
    reason: first?.reason ?? '',
    identifier: reading.errors.find(({ identifier }) => identifier !== undefined)?.identifier,
  };
}

/** The error of a release that does not say which identifier of a body it cannot read. */
export function withoutIdentifier(refusal: Refusal): Refusal {
  return refusal.identifier === undefined
    ? refusal
    : { ...refusal, text: 'Invalid value for: body' };
}

/** The error for a body that is not JSON, with the reason of `parseJsonBody`. */
export function refuseBody(api: Api, reason: string): Refusal {
  return { ok: false, status: 400, text: WORDINGS[api].bodyText(reason), path: '', reason };
}

type ParameterReading = { value: unknown } | { reason: string };

function readParameter(
  { api, schemas }: Operation,
  parameter: Parameter,
  given: string | readonly string[] | undefined,
): ParameterReading {
  const { $ref } = parameter.schema;
  const schema = $ref === undefined ? parameter.schema : (schemas[refName($ref)] ?? {});
  const texts = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  if (schema.type === 'array') return { value: [...texts] };
  const [text] = texts;
  if (text === undefined)
    return parameter.required ? { reason: 'missing' } : { value: schema.default };
  // tapir rejects a repeated parameter; pekko-http takes the first.
  if (texts.length > 1 && api === 'ledger') return { reason: 'multiple values' };
  return readParameterText(schema, text, READING_RULES[api]);
}

function fits(digits: string, bits: 32 | 64): boolean {
  // Real texts do not have 100 leading zeros, and the conversion of very long texts is slow.
  return digits.length < 100 && BigInt.asIntN(bits, whole(digits)) === whole(digits);
}

const whole = (digits: string): bigint => BigInt(digits.replace(/^\+/, ''));

function readParameterText(
  schema: JsonSchema,
  text: string,
  { timeError }: ReadingRules,
): ParameterReading {
  if (schema.enum) {
    return schema.enum.includes(text)
      ? { value: text }
      : { reason: `'${text}' is not one of ${schema.enum.join(', ')}` };
  }
  if (schema.type === 'integer') {
    const bits = schema.format === 'int32' ? 32 : 64;
    // A value that does not fit a number exactly is far beyond any count here.
    if (/^[+-]?\d+$/.test(text) && fits(text, bits)) return { value: Number(text) };
    return { reason: `'${text}' is not a valid ${bits}-bit signed integer value` };
  }
  if (schema.type === 'boolean') {
    const lower = text.toLowerCase();
    if (lower === 'true' || lower === 'false') return { value: lower === 'true' };
    return { reason: `'${text}' is not a valid Boolean value` };
  }
  const error = schema.format === 'date-time' ? timeError(text) : undefined;
  return error === undefined ? { value: text } : { reason: error };
}
