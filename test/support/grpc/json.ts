/**
 * Converts the answers of both transports to one form. Protobuf JSON from gRPC becomes the JSON of the Ledger API,
 * including Daml values. Fields that one transport lacks are removed from both.
 */

type Json = any;

const date = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
function time(micros: string): string {
  const whole = BigInt(micros);
  const milliseconds = whole / 1000n - (whole % 1000n < 0n ? 1n : 0n);
  const rest = String(whole - milliseconds * 1000n).padStart(3, '0');
  return new Date(Number(milliseconds))
    .toISOString()
    .replace('Z', `${rest}Z`)
    .replace(/\.?0+Z$/, 'Z');
}

/** A `Value` with its labels. */
function damlJson(value: Json): Json {
  const [[kind, given]] = Object.entries<Json>(value) as [[string, Json]];
  switch (kind) {
    case 'unit':
      return {};
    case 'date':
      return date(given);
    case 'timestamp':
      return time(given);
    case 'optional':
      return given.value === undefined ? null : damlJson(given.value);
    case 'list':
      return given.elements.map(damlJson);
    case 'textMap':
      return Object.fromEntries(
        given.entries.map((each: Json) => [each.key, damlJson(each.value)]),
      );
    case 'genMap':
      return given.entries.map((each: Json) => [damlJson(each.key), damlJson(each.value)]);
    case 'record':
      return recordJson(given);
    case 'variant':
      return { tag: given.constructor, value: damlJson(given.value) };
    case 'enum':
      return given.constructor;
    default:
      return given;
  }
}

const recordJson = ({ fields }: Json): Json =>
  Object.fromEntries(fields.map(({ label, value }: Json) => [label, damlJson(value)]));

const VALUES = new Set(['choiceArgument', 'exerciseResult', 'contractKey']);
const RECORDS: Readonly<Record<string, string>> = {
  createArguments: 'createArgument',
  viewValue: 'viewValue',
};

/** The JSON names of protobuf's fields. */
const GROUPS: Readonly<Record<string, string>> = {
  Transaction: 'transaction',
  Reassignment: 'reassignment',
  TopologyTransaction: 'topologyTransaction',
  CreatedEvent: 'created',
  ArchivedEvent: 'archived',
  ExercisedEvent: 'exercised',
  JsUnassignedEvent: 'unassigned',
  JsAssignmentEvent: 'assigned',
  JsActiveContract: 'activeContract',
  JsIncompleteUnassigned: 'incompleteUnassigned',
  JsIncompleteAssigned: 'incompleteAssigned',
  DeduplicationOffset: 'deduplicationOffset',
  DeduplicationDuration: 'deduplicationDuration',
};

/** The form of an answer over gRPC. */
function fromGrpc(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(fromGrpc);
  if (answer === null || typeof answer !== 'object') return answer;
  if ('moduleName' in answer)
    return [answer.packageId, answer.moduleName, answer.entityName].join(':');
  return Object.fromEntries(
    Object.entries<Json>(answer).map(([name, value]) => {
      if (VALUES.has(name)) return [name, damlJson(value)];
      if (name in RECORDS) return [RECORDS[name], recordJson(value)];
      return [name, fromGrpc(value)];
    }),
  );
}

/** The form of an answer of the JSON Ledger API: without the objects of groups, and with 64-bit numbers as texts. */
function fromJsonApi(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(fromJsonApi);
  if (typeof answer === 'number') return String(answer);
  if (answer === null || typeof answer !== 'object') return answer;
  if ('valueDecoded' in answer)
    return { '@type': answer.typeUrl, ...fromJsonApi(answer.valueDecoded) };
  const { value, update, contractEntry, deduplicationPeriod, ...rest } = answer;
  if (value !== undefined && Object.keys(rest).length === 0) return fromJsonApi(value);
  return Object.fromEntries(
    Object.entries<Json>({
      ...rest,
      ...(value !== undefined && { value }),
      ...update,
      ...contractEntry,
      ...deduplicationPeriod,
    }).map(([name, each]) => [
      GROUPS[name] ?? name,
      VALUES.has(name) || name === 'createArgument' || name === 'viewValue'
        ? each
        : fromJsonApi(each),
    ]),
  );
}

/** Removes empty values: protobuf cannot distinguish them from absent values. */
function normalize(value: Json): Json {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries<Json>(value).flatMap(([name, each]) => {
      if (VALUES.has(name) || name === 'createArgument' || name === 'viewValue')
        return each === null || each === undefined ? [] : [[name, each]];
      const normalized = normalize(each);
      const isEmpty =
        normalized === null ||
        normalized === undefined ||
        normalized === '' ||
        normalized === '0' ||
        normalized === false ||
        (Array.isArray(normalized) && normalized.length === 0) ||
        (typeof normalized === 'object' && Object.keys(normalized as object).length === 0);
      return isEmpty ? [] : [[name, normalized]];
    }),
  );
}

/** Checks that both transports give equal answers. */
export function expectSame(overGrpc: Json, overJson: Json): void {
  expect(normalize(fromGrpc(overGrpc))).toEqual(normalize(fromJsonApi(overJson)));
}
