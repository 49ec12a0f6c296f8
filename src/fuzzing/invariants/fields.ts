/** Fields of Daml records by their names, with dots for fields of inner records. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import { Some, type DamlRecord, type DamlValue, type Party } from '../../daml/model/values.js';
import { leavesOf } from '../model/scalars.js';
import { UnknownName } from './names.js';

/** @throws UnknownName if the record has no such field */
export function fieldOf(record: DamlRecord, path: string): DamlValue {
  let value: DamlValue = record;
  for (const name of path.split('.')) {
    if (value instanceof Some) value = value.value as DamlValue;
    if (typeof value !== 'object' || value === null || !(name in value))
      throw new UnknownName(
        `There is no field ${path}. There are ${Object.keys(record).join(', ')}.`,
      );
    value = (value as DamlRecord)[name]!;
  }
  return value;
}

/** The scalar parts of a field as one text, which identifies its value. */
export const fieldText = (record: DamlRecord, path: string): string =>
  [...leavesOf(fieldOf(record, path))].map(String).join(' ');

/** The parties in a field: a party, or a list or a set of parties. */
export const partiesIn = ({ payload }: ContractInstance, path: string): readonly Party[] =>
  [...leavesOf(fieldOf(payload, path))].filter((each) => typeof each === 'string');
