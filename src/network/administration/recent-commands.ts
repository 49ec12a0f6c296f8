/**
 * The last commands of a participant, for its operator: what no log of it keeps. It is not part of the ledger's state; a revert leaves
 * it, and what it tells of offsets that were taken back is told of nobody.
 */
import { isMap } from '../../daml/errors/realms.js';
import type { Command, TransactionNode } from '../../daml/model/transaction.js';

/** How many of each kind a participant keeps. */
export const MAX_RECENT = 100;
/** Of a refused one: commands and nodes that are kept with it. Larger ones are forgotten, as nobody else holds them. */
const MAX_KEPT_PARTS = 200;
/** Of a refused one: characters of the texts of its commands, and other parts of their values. */
const MAX_KEPT_SIZE = 64 * 1024;

export interface RecentCommand {
  readonly commands: readonly Command[];
  /** Of each command, whether it named its package by name; absent if none did. */
  readonly named?: readonly boolean[] | undefined;
  readonly workflowId: string;
  /** What they came to, of refused ones too. */
  readonly nodes: readonly TransactionNode[];
  /** Whether a request was made of them and sent. */
  readonly isSent: boolean;
}

/** One that is kept. Ids that were made up are made up again when somebody asks. */
export interface KeptCommand extends RecentCommand {
  /** Of the completion. */
  readonly offset: number;
  readonly info: { readonly submissionId: string };
}

export class RecentCommands {
  private readonly succeeded = new Newest<KeptCommand>();
  private readonly failed = new Newest<KeptCommand>();

  succeed(command: KeptCommand): void {
    this.succeeded.add(command);
  }

  fail(command: KeptCommand): void {
    if (isSmall(command)) this.failed.add(command);
  }

  /** Undefined for what is forgotten, and what was never known: reassignments, and commands from before this process. */
  at(offset: number, submissionId: string): RecentCommand | undefined {
    const isIt = (each: KeptCommand): boolean =>
      each.offset === offset && each.info.submissionId === submissionId;
    return this.succeeded.find(isIt) ?? this.failed.find(isIt);
  }
}

/** The last {@link MAX_RECENT}. */
class Newest<T> {
  private readonly kept: T[] = [];
  private place = 0;

  add(item: T): void {
    this.kept[this.place] = item;
    this.place = (this.place + 1) % MAX_RECENT;
  }

  /** The newest: behind a revert, another may have the place and the id of one that was taken back. */
  find(isIt: (item: T) => boolean): T | undefined {
    const { kept, place } = this;
    return kept.slice(0, place).findLast(isIt) ?? kept.slice(place).findLast(isIt);
  }
}

function isSmall({ commands, nodes }: RecentCommand): boolean {
  if (commands.length + nodes.length > MAX_KEPT_PARTS) return false;
  let left = MAX_KEPT_SIZE;
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
