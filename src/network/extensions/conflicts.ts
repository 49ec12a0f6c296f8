/**
 * Equal external calls with different outputs below one root of a transaction. A participant creates no view of them,
 * so that it sends no request (B-CMD-074). Those of different roots are for the confirming participants: see
 * `verdict.ts`.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type {
  ExternalCallResult,
  Transaction,
  TransactionNode,
} from '../../daml/model/transaction.js';
import { actionOf } from '../model/serialization-version.js';
import { callKey } from './replay.js';

/** A call, and what it returned. */
interface Outputs {
  readonly call: ExternalCallResult;
  readonly all: Set<string>;
}

/**
 * NOTE: a participant names the calls of the lowest view that has such calls. Here they are those of the root.
 * @param roots the recorded results by root, in order
 * @returns the reason, as Canton prints it
 */
export function conflictingCalls(
  roots: Iterable<readonly ExternalCallResult[]>,
): string | undefined {
  for (const results of roots) {
    if (results.length < 2) continue;
    const conflicts = conflictsOf(results);
    if (conflicts.length === 0) continue;
    const message = `externalCallResults records conflicting outputs for the same external call: ${conflicts.join('; ')}`;
    // Canton breaks lines beyond 200 characters, and this one always is.
    return `InvalidTransactionViewError(\n  ${message}\n)`;
  }
  return undefined;
}

const NOTHING: readonly (readonly ExternalCallResult[])[] = [];

function hasCalls(node: TransactionNode): boolean {
  const action = actionOf(node);
  return action?.kind === 'exercise' && action.externalCalls !== undefined;
}

/** The recorded results of a transaction, by root; none if there are no results. */
export function resultsByRoot({
  nodes,
}: Pick<Transaction, 'nodes'>): readonly (readonly ExternalCallResult[])[] {
  if (!nodes.some(hasCalls)) return NOTHING;
  const roots: ExternalCallResult[][] = [];
  for (const node of nodes) {
    if (node.parent === -1) roots.push([]);
    const action = actionOf(node);
    if (action?.kind === 'exercise' && action.externalCalls !== undefined)
      roots.at(-1)!.push(...action.externalCalls);
  }
  return roots;
}

/** The rejection of a participant that cannot build its request. */
export function malformedRequest(reason: string, psid: string): LedgerError {
  return ledgerError('MALFORMED_REQUEST', {
    cause: 'Malformed request',
    context: { message: 'Transaction confirmation request creation failed', reason, psid },
  });
}

function conflictsOf(results: readonly ExternalCallResult[]): readonly string[] {
  const byKey = new Map<string, Outputs>();
  for (const call of results) {
    const key = callKey(call);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { call, all: new Set([call.output]) });
    else known.all.add(call.output);
  }
  const conflicting = [...byKey].filter(([, { all }]) => all.size > 1).map(([key]) => key);
  return conflicting.sort().map((key) => printed(byKey.get(key)!));
}

function printed({ call, all }: Outputs): string {
  const { extensionId, functionId, config, input } = call;
  const sizes = [...all].map(bytes).sort((one, other) => one - other);
  return `ExternalCallKey(extension id = "${extensionId}", function id = "${functionId}", config bytes = "${bytes(config)} bytes", input bytes = "${bytes(input)} bytes") with outputs [${sizes.map((size) => `${size} bytes`).join(', ')}]`;
}

const bytes = (hex: string): number => hex.length / 2;
