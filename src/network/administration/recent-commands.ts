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

interface Kept extends RecentCommand {
  readonly submissionId: string;
}

export class RecentCommands {
  private readonly succeeded = new Map<number, Kept>();
  private readonly failed = new Map<number, Kept>();

  /** @param offset of the completion */
  succeed(offset: number, submissionId: string, command: RecentCommand): void {
    keep(this.succeeded, offset, { ...command, submissionId });
  }

  fail(offset: number, submissionId: string, command: RecentCommand): void {
    if (isSmall(command)) keep(this.failed, offset, { ...command, submissionId });
  }

  /** Undefined for what is forgotten, and what was never known: reassignments, and commands from before this process. */
  at(offset: number, submissionId: string): RecentCommand | undefined {
    return [this.succeeded.get(offset), this.failed.get(offset)].find(
      (each) => each?.submissionId === submissionId,
    );
  }
}

function keep(all: Map<number, Kept>, offset: number, kept: Kept): void {
  all.delete(offset);
  all.set(offset, kept);
  if (all.size > MAX_RECENT) all.delete(all.keys().next().value!);
}

function isSmall({ commands, nodes }: RecentCommand): boolean {
  if (commands.length + nodes.length > MAX_KEPT_PARTS) return false;
  let left = MAX_KEPT_SIZE;
  const waiting: unknown[] = [...commands];
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop();
    left -= typeof value === 'string' ? value.length : 1;
    if (isMap(value)) waiting.push(...value.keys(), ...value.values());
    else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value));
  }
  return left >= 0;
}
