/** The errors that a participant's validator finds in the message of a Daml value, regardless of its type. */
import { invalidArgument as invalid } from '../model/request-errors.js';
import { contractIdError } from '../../daml/model/contract-id-text.js';
import {
  dottedNameError,
  invalidField,
  missingField,
  nameError,
  packageIdError,
  partyError,
} from '../../daml/model/identifiers.js';
import { parseNumeric } from '../../daml/model/numeric.js';
import { compareText } from '../../daml/model/text-order.js';
import { isDate, timestampError } from '../../daml/model/time.js';
import type { ProtoIdentifier, ProtoValue } from './messages.js';

export const NUMERIC = /^[+-]?\d{1,38}(\.\d{0,37})?$/;

/** @throws LedgerError INVALID_ARGUMENT for the first error */
export function checkValue(value: ProtoValue | undefined, field = 'value'): void {
  if (value === undefined) throw missingField(field);
  if (value.text !== undefined || value.int64 !== undefined) return;
  if (value.contractId !== undefined) refuse(contractIdError(value.contractId));
  else if (value.numeric !== undefined) {
    if (!NUMERIC.test(value.numeric) || parseNumeric(value.numeric) === undefined)
      throw invalid(`Could not read Numeric string "${value.numeric}"`);
  } else if (value.party !== undefined) refuse(partyError(value.party));
  else if (value.timestamp !== undefined) refuse(timestampError(value.timestamp));
  else if (value.date !== undefined)
    refuse(isDate(value.date) ? undefined : `out of bound Date ${value.date}`);
  else if (value.record !== undefined) checkRecord(value.record);
  else if (value.variant !== undefined) {
    checkName(value.variant.variantId);
    requireName(value.variant.constructor, 'constructor');
    checkValue(value.variant.value);
  } else if (value.enum !== undefined) {
    checkName(value.enum.enumId);
    requireName(value.enum.constructor, 'value');
  } else if (value.list !== undefined) for (const each of value.list.elements) checkValue(each);
  else if (value.optional !== undefined) {
    if (value.optional.value !== undefined) checkValue(value.optional.value);
  } else if (value.textMap !== undefined) checkTextMap(value.textMap.entries);
  else if (value.genMap !== undefined)
    for (const entry of value.genMap.entries) {
      if (entry.key === undefined) throw missingField('key');
      if (entry.value === undefined) throw missingField('value');
      checkValue(entry.key);
      checkValue(entry.value);
    }
  else if (Object.values(value).every((each) => each === undefined)) throw missingField('value');
}

export function checkRecord({ recordId, fields }: NonNullable<ProtoValue['record']>): void {
  checkName(recordId);
  for (const { label, value } of fields) {
    checkValue(value);
    if (label !== '') refuse(nameError(label));
  }
}

function checkTextMap(entries: NonNullable<ProtoValue['textMap']>['entries']): void {
  for (const { value } of entries) checkValue(value);
  const keys = entries.map(({ key }) => key).sort(compareText);
  const twice = keys.find((key, index) => key === keys[index + 1]);
  if (twice !== undefined) throw invalid(`key ${twice} duplicated when trying to build map`);
}

function checkName(id: ProtoIdentifier | undefined): void {
  if (id === undefined) return;
  refuseField('module_name', dottedNameError(id.moduleName));
  refuseField('entity_name', dottedNameError(id.entityName));
  if (id.packageId === '') throw missingField('package_id');
  refuseField('package_id', packageIdError(id.packageId));
}

function requireName(text: string, field: string): void {
  if (text === '') throw missingField(field);
  refuseField(field, nameError(text));
}

function refuse(error: string | undefined): void {
  if (error !== undefined) throw invalid(error);
}

function refuseField(field: string, error: string | undefined): void {
  if (error !== undefined) throw invalidField(field, error);
}
