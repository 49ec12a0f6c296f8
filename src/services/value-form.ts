/**
 * The form of Daml values in requests and answers: JSON, or the form of another transport. Handlers pass values on
 * unchanged.
 */
import { encodeValue } from '../daml/codec/json/codec.js';
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';
import type { Command } from '../daml/model/transaction.js';
import type { DamlValue } from '../daml/model/values.js';
import type { Participant } from '../network/participant.js';
import type { JsCommands } from '../spec/generated/ledger.js';

type Write = (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;

export interface ValueWriter {
  readonly value: Write;
  /** Writes a record if the message can only hold a record: payloads and views. */
  readonly record: Write;
}

/** The commands of a request, and the errors of reading them, by the step that throws them. */
export interface ReadCommands {
  /** All commands, if there was no error. */
  readonly commands: readonly Command[];
  /** For each command, whether it names its package by name. */
  readonly named: readonly boolean[];
  readonly errors: {
    /** An error in the form of the commands. */
    readonly commands?: LedgerError | undefined;
    /** An error in the form of the prefetched keys. */
    readonly prefetchedKeys?: LedgerError | undefined;
    /** An error that only packages reveal. */
    readonly preprocessing?: LedgerError | undefined;
  };
}

export interface ValueForm {
  /** Identifies the form. */
  readonly name: string;
  /** Absent if the JSON layer reads commands before it calls a participant. */
  readonly commands?: (participant: Participant, request: JsCommands) => ReadCommands;
  /** @param isVerbose whether to include the names of types and fields where the form could omit them */
  writer(isVerbose: boolean): ValueWriter;
  /** The form in requests, with the names of fields but without the names of types. */
  readonly requestWriter: ValueWriter;
}

/** The JSON Ledger API always includes names. */
export const JSON_WRITER: ValueWriter = { value: encodeValue, record: encodeValue };

export const JSON_VALUES: ValueForm = {
  name: 'json',
  writer: () => JSON_WRITER,
  requestWriter: JSON_WRITER,
};
