/** Where in Daml's source an expression says that it stands. */
import type { LfTables } from '../lf-tables.js';
import type { Message } from '../wire/message.js';

/** Lines and columns count from 0. */
export interface LfPlace {
  /** Undefined where it is the one that the expression is in. */
  readonly module: Message | undefined;
  readonly start: readonly [line: number, column: number];
  readonly end: readonly [line: number, column: number];
}

export function readPlace(location: Message): LfPlace {
  const range = location.messageAt(2);
  return {
    module: location.has(1) ? location.messageAt(1) : undefined,
    start: [range.numberAt(1), range.numberAt(2)],
    end: [range.numberAt(3), range.numberAt(4)],
  };
}

/** The module's name. */
export function moduleName(tables: LfTables, module: Message): string {
  return tables.dottedName(module.numberAt(2));
}

/** `p:M`. */
export function qualifiedModule(tables: LfTables, module: Message): string {
  return `${tables.packageIdOf(module.viewAt(1))}:${moduleName(tables, module)}`;
}
