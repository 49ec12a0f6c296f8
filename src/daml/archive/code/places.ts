/** The source position of an expression: the parts of a `Location`. Lines and columns count from 0. */
import type { LfTables } from '../lf-tables.js';
import type { Message } from '../wire/message.js';

/** Empty if it is the expression's own module. */
export function moduleOf(location: Message): Message {
  return location.messageAt(1);
}

/** The start, then the end. */
export enum RangeField {
  StartLine = 1,
  StartColumn = 2,
  EndLine = 3,
  EndColumn = 4,
}

export function rangeOf(location: Message): Message {
  return location.messageAt(2);
}

/** The module's name. */
export function moduleName(tables: LfTables, module: Message): string {
  return tables.dottedName(module.numberAt(2));
}

/** `p:M`. */
export function qualifiedModule(tables: LfTables, module: Message): string {
  return `${tables.packageIdOf(module.viewAt(1))}:${moduleName(tables, module)}`;
}
