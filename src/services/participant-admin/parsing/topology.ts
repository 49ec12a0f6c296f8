/** The common parts of topology requests, as a participant parses them. Each throws a ConversionError. */
import { tooLong } from '../../../daml/model/identifiers.js';
import type { Timestamp } from '../../../daml/model/values.js';
import {
  fieldNotSet,
  invariantViolation,
  unrecognizedEnum,
  unrecognizedField,
  valueConversion,
} from './conversion.js';
import {
  instant,
  protocolVersion,
  required,
  synchronizerReference,
  type SynchronizerMessage,
  type SynchronizerReference,
} from './fields.js';

export interface StoreMessage {
  readonly authorized?: object;
  readonly synchronizer?: SynchronizerMessage;
  readonly temporary?: { readonly name: string };
}

export type StoreReference =
  | { readonly kind: 'authorized' }
  | { readonly kind: 'temporary'; readonly name: string }
  | ({ readonly kind: 'synchronizer' } & SynchronizerReference);

/** The maximum number of characters of a temporary store's name. */
const LONGEST_NAME = 185;

export function storeNameError(kind: string, name: string): string | undefined {
  return name.length > LONGEST_NAME ? tooLong(kind, LONGEST_NAME, name) : undefined;
}

const STORE = 'store';

/** @param supported protocol versions of the participant */
export function storeReference(
  given: StoreMessage | undefined,
  supported: readonly number[],
): StoreReference {
  const { authorized, synchronizer, temporary } = required(STORE, given);
  if (authorized !== undefined) return { kind: 'authorized' };
  if (temporary !== undefined) {
    const { name } = temporary;
    const error = storeNameError(STORE, name);
    if (error !== undefined) throw invariantViolation(STORE, error);
    return { kind: 'temporary', name };
  }
  const fields = { empty: STORE, id: STORE, physicalId: STORE };
  return {
    kind: 'synchronizer',
    ...synchronizerReference(required(STORE, synchronizer), fields, supported),
  };
}

export interface BaseQueryMessage {
  readonly store?: StoreMessage;
  readonly proposals: boolean;
  readonly operation: string;
  readonly filterSignedKey: string;
  readonly protocolVersion?: number;
  readonly headState?: object;
  readonly snapshot?: string;
  readonly range?: { readonly from?: string; readonly until?: string };
}

export interface QueryMessage {
  readonly baseQuery?: BaseQueryMessage;
}

type TimeQuery =
  | { readonly kind: 'head' }
  | { readonly kind: 'snapshot'; readonly at: Timestamp }
  | {
      readonly kind: 'range';
      readonly from: Timestamp | undefined;
      readonly until: Timestamp | undefined;
    };

export interface BaseQuery {
  /** Undefined means every store. */
  readonly store: StoreReference | undefined;
  readonly proposals: boolean;
  /** Whether it adds or removes a mapping; undefined for both. */
  readonly replaces: boolean | undefined;
  readonly filterSignedKey: string;
  readonly time: TimeQuery;
}

/** @param supported protocol versions of the participant */
export function baseQuery(message: QueryMessage, supported: readonly number[]): BaseQuery {
  const given = required('base_query', message.baseQuery);
  const time = timeQuery(given);
  const replaces = changeOf(given.operation);
  if (given.protocolVersion !== undefined) protocolVersion(given.protocolVersion, supported);
  const store = given.store && storeReference(given.store, supported);
  const { proposals, filterSignedKey } = given;
  return { store, proposals, replaces, filterSignedKey, time };
}

function timeQuery({ snapshot, headState, range }: BaseQueryMessage): TimeQuery {
  if (snapshot !== undefined) return { kind: 'snapshot', at: instant(snapshot) };
  if (headState !== undefined) return { kind: 'head' };
  if (range === undefined) throw fieldNotSet('time_query');
  const { from, until } = range;
  return {
    kind: 'range',
    from: from === undefined ? undefined : instant(from),
    until: until === undefined ? undefined : instant(until),
  };
}

/** @returns undefined if the request does not specify it */
export function changeOf(operation: string): boolean | undefined {
  if (operation === 'TOPOLOGY_CHANGE_OP_ADD_REPLACE') return true;
  if (operation === 'TOPOLOGY_CHANGE_OP_REMOVE') return false;
  if (operation === 'TOPOLOGY_CHANGE_OP_UNSPECIFIED') return undefined;
  throw unrecognizedEnum('UNRECOGNIZED', operation);
}

/** An operation without a name is a number, in digits. */
export function forceFlags(flags: readonly string[]): readonly string[] {
  for (const flag of flags) {
    const name = /^-?\d+$/.test(flag) ? 'UNRECOGNIZED' : flag;
    if (name === 'UNRECOGNIZED' || name === 'FORCE_FLAG_UNSPECIFIED')
      throw unrecognizedField(`Unrecognized force_change flag: ${name}`);
  }
  return flags;
}

const MEMBER_CODES = ['PAR', 'SEQ', 'MED'];

/** @returns undefined for an empty code */
export function memberCode(field: string, code: string): string | undefined {
  if (code === '') return undefined;
  if (!MEMBER_CODES.includes(code))
    throw valueConversion(field, `Unknown three letter type ${code}`);
  return code;
}
