/**
 * The active contract set of one participant: which stays of contracts are open now, by party and template, in order of
 * activation. The set at an earlier offset is today's, with what happened since undone: costs grow with the distance, not with history.
 */
import type { ContractInstance } from '../daml/transaction.js';
import { stakeholdersOf } from '../daml/transaction.js';
import { qualifiedNameOf } from '../daml/types.js';
import type { ContractId, Party } from '../daml/values.js';
import { invariant } from '../daml/ledger-error.js';
import type { Journal, Undoable } from './journal.js';
import { mergeAscending, OrderedIndex } from './ordered-index.js';
import type { Activation, LogEntry } from './updates.js';

/** `<package name>:<Module>:<Entity>`: all versions of a template, as read filters name them. */
export type TemplateName = string;

export function templateNameOf(
  contract: Pick<ContractInstance, 'packageName' | 'templateId'>,
): TemplateName {
  return `${contract.packageName}:${qualifiedNameOf(contract.templateId)}`;
}

/** Which contracts: of these parties (undefined: any), of these templates (undefined: all). */
export interface AcsKey {
  readonly party: Party | undefined;
  readonly templates: readonly TemplateName[] | undefined;
}

const BEGAN = 'began';
const ENDED = 'ended';

/** One journal entry for each stay that begins or ends. */
export class ActiveContracts implements Undoable {
  private readonly indexes = new Map<string, OrderedIndex<Activation>>();
  private readonly current = new Map<ContractId, Activation>();
  private nextSequence = 1;

  constructor(private readonly journal: Journal) {}

  get size(): number {
    return this.current.size;
  }

  activate(stay: Omit<Activation, 'sequence'>): Activation {
    const { contractId } = stay.contract;
    invariant(!this.current.has(contractId), 'a contract is activated only while it is not active');
    const { offset, nodeId, contract, synchronizerId, reassignmentCounter, update } = stay;
    const activation: Activation = {
      sequence: this.nextSequence++,
      offset,
      nodeId,
      contract,
      synchronizerId,
      reassignmentCounter,
      update,
    };
    this.journal.record(this, activation, BEGAN);
    this.open(activation);
    return activation;
  }

  /** Undefined where this participant never saw it active. */
  deactivate(contractId: ContractId): Activation | undefined {
    const activation = this.current.get(contractId);
    if (activation === undefined) return undefined;
    this.journal.record(this, activation, ENDED);
    this.close(activation);
    return activation;
  }

  undo(activation: unknown, what: unknown): void {
    if (what === ENDED) this.open(activation as Activation);
    else {
      this.close(activation as Activation);
      this.nextSequence--;
    }
  }

  private open(activation: Activation): void {
    this.current.set(activation.contract.contractId, activation);
    for (const key of keysOf(activation.contract)) this.index(key).insert(activation);
  }

  private close(activation: Activation): void {
    this.current.delete(activation.contract.contractId);
    for (const key of keysOf(activation.contract)) this.index(key).remove(activation);
  }

  get(contractId: ContractId): Activation | undefined {
    return this.current.get(contractId);
  }

  /** Open stays that match any key, in order of activation, from behind `after`. */
  now(keys: readonly AcsKey[], after = 0): Generator<Activation, void, undefined> {
    const names = new Set(keys.flatMap(indexNames));
    const sources = [...names]
      .map((name) => this.indexes.get(name)?.after(after))
      .filter((source) => source !== undefined);
    return mergeAscending(sources);
  }

  /**
   * The set as it was at `offset`, given the entries behind it.
   * @param since log entries with offsets above `offset`
   */
  *at(
    offset: number,
    since: Iterable<LogEntry>,
    keys: readonly AcsKey[],
    after = 0,
  ): Generator<Activation, void, undefined> {
    const ended: Activation[] = [];
    for (const entry of since)
      for (const activation of entry.deactivated)
        if (
          activation.offset <= offset &&
          activation.sequence > after &&
          keys.some((key) => matches(key, activation.contract))
        )
          ended.push(activation);
    ended.sort((a, b) => a.sequence - b.sequence);
    for (const activation of mergeAscending([ended.values(), this.now(keys, after)])) {
      if (activation.offset > offset) return;
      yield activation;
    }
  }

  private index(name: string): OrderedIndex<Activation> {
    let index = this.indexes.get(name);
    if (index === undefined) this.indexes.set(name, (index = new OrderedIndex()));
    return index;
  }
}

function keysOf(contract: ContractInstance): string[] {
  const template = templateNameOf(contract);
  const keys = ['*', `*|${template}`];
  for (const party of stakeholdersOf(contract)) keys.push(party, `${party}|${template}`);
  return keys;
}

function indexNames(key: AcsKey): string[] {
  const party = key.party ?? '*';
  return key.templates === undefined
    ? [party]
    : key.templates.map((template) => `${party}|${template}`);
}

function matches(key: AcsKey, contract: ContractInstance): boolean {
  if (key.party !== undefined && !stakeholdersOf(contract).includes(key.party)) return false;
  return key.templates === undefined || key.templates.includes(templateNameOf(contract));
}
