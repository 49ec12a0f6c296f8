/**
 * The transaction that an interpretation builds: the contracts in use, its nodes in pre-order, and scopes that can
 * be rolled back.
 */
import { invariant } from '../errors/ledger-error.js';
import type {
  Command,
  ContractInstance,
  ExerciseNode,
  ExternalCall,
  ExternalCallResult,
  TransactionNode,
} from '../model/transaction.js';
import type { ContractId } from '../model/values.js';
import { ContractsInUse, type ContractInUse } from './contracts-in-use.js';
import { exerciseTrace } from './exercise-trace.js';
import { FailureGuard } from './failure-guard.js';
import type { Frame, Savepoint } from './frame.js';
import type { ExternalAnswer, InterpreterInput } from './input.js';
import { isHex } from '../lf/builtins/builtins-crypto.js';
import {
  externalCallFailed,
  externalOutputMalformed,
  NO_SERVICE,
} from '../lf/runtime/exceptions.js';
import * as refuse from '../refusals/refusals.js';
import { effectsSince, rollBackNodes } from './rollback.js';

export abstract class GrowingTransaction extends FailureGuard<Frame> {
  abstract readonly input: InterpreterInput;

  /** Undefined at the start of a `try`: its number is unused unless the `try` is rolled back. */
  protected readonly nodes: (TransactionNode | undefined)[] = [];
  /** Whether the transaction has had a `try`. */
  protected hasScopes = false;
  protected readonly contracts = new ContractsInUse();
  /** The answers to external calls, in the order of the calls. */
  protected readonly answers: ExternalAnswer[] = [];
  /** The current command. */
  protected command: Command | undefined;

  /** The contracts of the ledger that the transaction has looked up so far. */
  get inputs(): ReadonlyMap<ContractId, ContractInstance> {
    return this.contracts.inputs();
  }

  /** The contract, if this transaction may use it: known, visible, and not consumed by this transaction. */
  protected lookup(contractId: ContractId): ContractInUse {
    const use = this.contracts.get(contractId) ?? this.found(contractId);
    if (use.consumedBy >= 0)
      throw refuse.contractNotActive(contractId, use.contract.templateId, use.consumedBy);
    return use;
  }

  /** A contract of the ledger, used for the first time. */
  private found(contractId: ContractId): ContractInUse {
    const contract = this.input.contract(contractId);
    if (contract === undefined) throw refuse.contractNotFound(contractId);
    return this.contracts.addInput(contract);
  }

  protected add(node: TransactionNode): void {
    invariant(node.nodeId === this.nodes.length, 'node ids are dense and in pre-order');
    this.nodes.push(node);
  }

  /** Begins a `try`. Pass the result to {@link rollBack} if the `try` fails. */
  beginTry(): Savepoint {
    this.nodes.push(undefined);
    this.hasScopes = true;
    return { nodeId: this.nodes.length - 1 };
  }

  /**
   * Reverts the actions since the savepoint. Looked-up contracts remain.
   * @throws LedgerError from protocol version 35 on if contracts were created or consumed, which cannot be reverted
   * there
   */
  rollBack(frame: Frame, { nodeId }: Savepoint): void {
    const effects = effectsSince(this.nodes, nodeId);
    if (effects.length > 0 && !this.input.rollsBackEffects) throw refuse.effectfulRollback(effects);
    rollBackNodes(this.nodes, nodeId, frame.nodeId);
    this.contracts.takeBackFrom(nodeId);
  }

  /**
   * Calls the service, and records the result at the enclosing exercise (R-36-080). It stays there if a `try` around
   * the call fails.
   * @throws LedgerError if the service fails or its output is malformed
   */
  externalCall({ nodeId }: Frame, call: ExternalCall): string {
    const { extensionId, functionId } = call;
    const node = this.nodes[nodeId];
    const answer = this.input.externalCall?.(call) ?? { error: NO_SERVICE };
    this.answers.push(answer);
    if ('error' in answer) throw externalCallFailed(extensionId, functionId, answer.error);
    const { output } = answer;
    if (!isHex(output)) throw externalOutputMalformed(extensionId, functionId);
    invariant(node?.kind === 'exercise', 'external calls are made by choices');
    (node as { externalCalls?: readonly ExternalCallResult[] }).externalCalls = [
      ...(node.externalCalls ?? []),
      { ...call, output },
    ];
    return output;
  }

  protected exerciseTrace(frame: Frame): string {
    return exerciseTrace(this.enclosing(frame), this.command);
  }

  /** The choices that enclose a frame, innermost first. */
  private *enclosing({ nodeId }: Frame): Generator<ExerciseNode> {
    for (let id = nodeId; id >= 0;) {
      const node = this.nodes[id];
      invariant(node?.kind === 'exercise', 'only exercises enclose nodes');
      yield node;
      id = node.parent;
    }
  }
}
