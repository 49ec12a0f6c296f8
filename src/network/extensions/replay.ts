/** Answers external calls from the results that a transaction recorded (R-36-080). */
import type { ExternalCallService } from '../../daml/interpreter/input.js';
import type {
  ExternalCall,
  ExternalCallResult,
  Transaction,
} from '../../daml/model/transaction.js';
import { actionOf } from '../model/serialization-version.js';

export const callKey = ({ extensionId, functionId, config, input }: ExternalCall): string =>
  JSON.stringify([extensionId, functionId, config, input]);

export function callsIn({ nodes }: Pick<Transaction, 'nodes'>): readonly ExternalCallResult[] {
  return nodes.flatMap((node) => {
    const action = actionOf(node);
    return action?.kind === 'exercise' ? (action.externalCalls ?? []) : [];
  });
}

export function replaying(results: readonly ExternalCallResult[]): ExternalCallService {
  const outputs = new Map(results.map((each) => [callKey(each), each.output]));
  return (call) => {
    const output = outputs.get(callKey(call));
    return output === undefined ? { error: 'Missing recorded external call result' } : { output };
  };
}
