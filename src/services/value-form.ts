/**
 * How Daml values stand in requests and answers: as JSON, or as whatever another transport carries. Handlers hand values through
 * and never look at them.
 */
import { decodeValueInPhases, encodeValue } from '../daml/codec/json/codec.js';
import type { ReadValue } from '../daml/codec/json/command.js';
import type { PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';
import type { DamlValue } from '../daml/model/values.js';

type Write = (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;

export interface ValueWriter {
  readonly value: Write;
  /** Of a record where the message has room for nothing else: payloads and views. */
  readonly record: Write;
}

export interface ValueForm {
  /** Tells forms apart. */
  readonly name: string;
  readonly read: ReadValue;
  /** @param isVerbose whether the names of types and fields are told where the form could do without */
  writer(isVerbose: boolean): ValueWriter;
}

/** The JSON Ledger API tells names always. */
export const JSON_WRITER: ValueWriter = { value: encodeValue, record: encodeValue };

export const JSON_VALUES: ValueForm = {
  name: 'json',
  read: decodeValueInPhases,
  writer: () => JSON_WRITER,
};
