/**
 * The shapes of messages that the services use, which are those of the JSON Ledger API. This file lists the differences
 * to the protobuf definitions: names, and the members of a `oneof`. By default, a `oneof` is an object whose only
 * member has the name of the case and a `value`.
 */
import { camelCase } from '../../network/protobuf/camel-case.js';

export interface OneofShape {
  /** The member of the object that contains the `oneof`; undefined if the message contains only the `oneof`. */
  readonly at: string | undefined;
  /** By field: its key, and whether its value is wrapped in `{ value }`. */
  readonly cases: ReadonlyMap<string, { readonly key: string; readonly isWrapped: boolean }>;
}

const LEDGER_API = 'com.daml.ledger.api.v2';
const ADMIN_API = 'com.digitalasset.canton.admin.participant.v30';

const pascal = (name: string): string => camelCase(`_${name}`);

/** Messages with special names in JSON, and without a `value`. */
const WRITTEN_BY_HAND: Readonly<Record<string, Omit<OneofShape, 'cases'> & { names: string }>> = {
  [`${LEDGER_API}.Command.command`]: {
    at: undefined,
    names: 'CreateCommand ExerciseCommand ExerciseByKeyCommand CreateAndExerciseCommand',
  },
  [`${LEDGER_API}.Event.event`]: {
    at: undefined,
    names: 'CreatedEvent ArchivedEvent ExercisedEvent',
  },
  [`${LEDGER_API}.ReassignmentEvent.event`]: {
    at: undefined,
    names: 'JsUnassignedEvent+ JsAssignmentEvent',
  },
  [`${LEDGER_API}.GetActiveContractsResponse.contract_entry`]: {
    at: 'contractEntry',
    names: 'JsActiveContract JsIncompleteUnassigned JsIncompleteAssigned',
  },
  [`${LEDGER_API}.PriorTopologySerial.serial`]: { at: 'serial', names: 'Prior+ NoPrior' },
};

/** The shape of a `oneof`; undefined if its fields are next to the others, as outside the Ledger API. */
export function oneofShape(
  message: string,
  oneof: string,
  fields: readonly string[],
): OneofShape | undefined {
  if (!message.startsWith(`${LEDGER_API}.`)) return undefined;
  const own = WRITTEN_BY_HAND[`${message}.${oneof}`];
  const names = own?.names.split(' ') ?? fields.map((field) => `${pascal(field)}+`);
  const cases = fields.map((field, index) => {
    const name = names[index]!;
    return [field, { key: name.replace('+', ''), isWrapped: name.endsWith('+') }] as const;
  });
  return { at: own === undefined ? camelCase(oneof) : own.at, cases: new Map(cases) };
}

const RENAMED: Readonly<Record<string, string>> = {
  [`${LEDGER_API}.CreatedEvent.create_arguments`]: 'createArgument',
};

/** The member of an object that represents a field. */
export function memberOf(message: string, field: string): string {
  return RENAMED[`${message}.${field}`] ?? camelCase(field);
}

/** Fields of type bytes that are not base64 in the services. */
const BYTES: Readonly<Record<string, 'raw' | 'hexadecimal'>> = {
  [`${LEDGER_API}.Transaction.external_transaction_hash`]: 'hexadecimal',
  [`${LEDGER_API}.Transaction.transaction_hash`]: 'hexadecimal',
  [`${LEDGER_API}.admin.UploadDarFileRequest.dar_file`]: 'raw',
  [`${LEDGER_API}.admin.ValidateDarFileRequest.dar_file`]: 'raw',
  [`${ADMIN_API}.ImportAcsRequest.acs_snapshot`]: 'raw',
  [`${ADMIN_API}.ImportPartyAcsRequest.acs_snapshot`]: 'raw',
  [`${ADMIN_API}.ValidateDarRequest.data`]: 'raw',
  [`${ADMIN_API}.UploadDarRequest.UploadDarData.bytes`]: 'raw',
};

/** The form of a bytes field in the services; undefined for base64, which is usual in JSON. */
export function bytesForm(message: string, field: string): 'raw' | 'hexadecimal' | undefined {
  return BYTES[`${message}.${field}`];
}
