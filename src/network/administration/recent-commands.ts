/**
 * A participant's most recent commands, for its operator: data that is not in its log. A revert does not change this
 * list, which is not part of the ledger's state. Entries of reverted offsets are never shown.
 */
import { isMap } from '../../daml/errors/realms.js';
import type { Command, TransactionNode } from '../../daml/model/transaction.js';

/** The number of commands of each kind that a participant stores. */
export const MAX_RECENT = 100;
/**
 * The limit of commands and nodes of a rejected command. Larger ones are dropped, because no other object needs them.
 */
const MAX_PARTS = 200;
/** The limit of a rejected command: characters of texts, and other parts of values. */
const MAX_SIZE = 64 * 1024;

export interface RecentCommand {
  readonly commands: readonly Command[];
  /** For each command, whether it named its package by name; absent if none did. */
  readonly named?: readonly boolean[] | undefined;
  readonly workflowId: string;
  /** The nodes of its transaction, also for rejected commands. */
  readonly nodes: readonly TransactionNode[];
  /** Whether its request was sent. */
  readonly isSent: boolean;
}

/** A stored command. Generated ids are generated again on each read. */
export interface StoredCommand extends RecentCommand {
  /** The offset of the completion. */
  readonly offset: number;
  readonly info: { readonly submissionId: string };
}

export class RecentCommands {
  private readonly succeeded = new Newest<StoredCommand>();
  private readonly failed = new Newest<StoredCommand>();

  succeed(command: StoredCommand): void {
    this.succeeded.add(command);
  }

  fail(command: StoredCommand): void {
    if (isSmall(command)) this.failed.add(command);
  }

  /** Undefined for forgotten commands, reassignments, and commands from before the process started. */
  at(offset: number, submissionId: string): RecentCommand | undefined {
    const isIt = (each: StoredCommand): boolean =>
      each.offset === offset && each.info.submissionId === submissionId;
    return this.succeeded.find(isIt) ?? this.failed.find(isIt);
  }
}

/** The last {@link MAX_RECENT} items. */
class Newest<T> {
  private readonly items: T[] = [];
  private place = 0;

  add(item: T): void {
    this.items[this.place] = item;
    this.place = (this.place + 1) % MAX_RECENT;
  }

  /** The newest match: after a revert, another command can have the offset and the id of a reverted one. */
  find(isIt: (item: T) => boolean): T | undefined {
    const { items, place } = this;
    return items.slice(0, place).findLast(isIt) ?? items.slice(place).findLast(isIt);
  }
}

function isSmall({ commands, nodes }: RecentCommand): boolean {
  if (commands.length + nodes.length > MAX_PARTS) return false;
  let left = MAX_SIZE;
  const waiting: unknown[] = [...commands];
  while (waiting.length > 0) {
    const value = waiting.pop();
    left -= typeof value === 'string' ? value.length : 1;
    if (left < 0) return false;
    if (isMap(value)) waiting.push(...value.keys(), ...value.values());
    else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value));
  }
  return true;
}
