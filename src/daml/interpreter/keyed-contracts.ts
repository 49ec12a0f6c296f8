/** The contracts of a transaction by their keys: finds them, and refuses uses that Canton refuses. It adds no nodes. */
import { contractKey } from '../contract/contract-key.js';
import type { ContractInUse, ContractsInUse } from './contracts-in-use.js';
import type { Frame } from './frame.js';
import type { InterpreterInput } from './input.js';
import { KeyLookups } from './key-lookups.js';
import * as refuse from '../refusals/key-refusals.js';
import {
  template as templateOf,
  type CodeContext,
  type FetchedContract,
  type Template,
} from '../model/package.js';
import type { Resolution } from './resolution.js';
import type { ContractKey } from '../model/transaction.js';
import type { TypeId } from '../model/types.js';
import type { ContractId, DamlValue } from '../model/values.js';

/** The limit of contracts that a query by key returns, as in Canton. */
const MAX_QUERY_BY_KEY = 1_000_000n;

/**
 * The count as Canton reads it: only the low 32 bits.
 * @throws LedgerError LEDGER_API_INTERNAL_ERROR if it is less than 1
 */
export function queryLimit(count: bigint): number {
  const limit = Number(BigInt.asIntN(32, count < MAX_QUERY_BY_KEY ? count : MAX_QUERY_BY_KEY));
  if (limit < 1) throw refuse.badQueryCount(limit);
  return limit;
}

export interface FoundByKey {
  readonly template: Template;
  readonly contractId: ContractId;
}

/** The result of a query by key. */
export interface KeyQuery extends refuse.KeyOf {
  readonly found: readonly FetchedContract[];
  /** Whether there are no more contracts. */
  readonly exhaustive: boolean;
}

/** The part of the interpreter that is needed here. */
interface Interpreting {
  readonly input: InterpreterInput;
  readonly machine: CodeContext;
  readonly resolution: Resolution;
  guarded<T>(frame: Frame, code: () => T): T;
}

export class KeyedContracts {
  private readonly lookups: KeyLookups;

  constructor(
    private readonly interpreter: Interpreting,
    private readonly contracts: ContractsInUse,
  ) {
    const { input } = interpreter;
    this.lookups = new KeyLookups(contracts, (key) => input.contractsByKey?.(key) ?? []);
  }

  created(key: ContractKey, contractId: ContractId): void {
    this.lookups.created(key, contractId);
  }

  /** The ledger's contracts that queries by a key have returned, in the ledger's order. */
  met(hash: string): readonly ContractId[] {
    return this.lookups.met(hash);
  }

  /** The newest contract with the key. */
  first(frame: Frame, id: TypeId, value: DamlValue): FoundByKey {
    const { packages, rules } = this.interpreter.input;
    const query = this.keyOf(frame, id, value);
    const [first] = this.find(query, 1).found;
    if (first === undefined) throw refuse.keyNotFound(packages, query, rules);
    return { template: query.template, contractId: first.contractId };
  }

  /**
   * Finds up to `count` contracts with the key. It needs the authority of the key's maintainers. `nodeId` is the
   * node of the query.
   */
  query(frame: Frame, nodeId: number, id: TypeId, value: DamlValue, count: bigint): KeyQuery {
    const query = this.keyOf(frame, id, value, count);
    const { template, key } = query;
    const { maintainers } = key;
    if (!maintainers.every((party) => frame.authorizers.includes(party)))
      throw refuse.missingLookupAuthorizers(nodeId, template.id, maintainers, frame.authorizers);
    return { template, key, ...this.find(query, queryLimit(count)) };
  }

  /** Refuses the use of a contract if an exhaustive query by its key has not found it. */
  checkUse({ contract, createdBy }: ContractInUse): void {
    const { contractId, templateId, key } = contract;
    if (key === undefined || createdBy >= 0 || this.lookups.usedById(key, contractId)) return;
    const { packages } = this.interpreter.input;
    throw refuse.inconsistentKey(packages, { template: templateOf(packages, templateId)!, key });
  }

  /** Computes the key's maintainers before it checks the count, because that code may throw another error. */
  private keyOf(frame: Frame, id: TypeId, value: DamlValue, count = 1n): refuse.KeyOf {
    const { input, machine, resolution } = this.interpreter;
    const template = resolution.templateWithKey(id);
    const key = this.interpreter.guarded(frame, () =>
      contractKey(machine, template, value, () => queryLimit(count)),
    );
    if (key.maintainers.length === 0)
      throw refuse.fetchWithoutMaintainers(input.packages, { template, key });
    return { template, key };
  }

  private find(query: refuse.KeyOf, count: number): Pick<KeyQuery, 'found' | 'exhaustive'> {
    const { input, resolution } = this.interpreter;
    const mapping = this.lookups.query(query.key, count);
    if (mapping === undefined) throw refuse.inconsistentKey(input.packages, query);
    const found = mapping.queue.map((contractId) => {
      const { contract } = this.contracts.get(contractId)!;
      const { templateId, payload } = resolution.target(contract, query.template.id, undefined);
      return { contractId, templateId, payload };
    });
    return { found, exhaustive: mapping.exhaustive };
  }
}
