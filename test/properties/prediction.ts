/** The model's prediction for a command. */
import type { Command } from './commands.js';
import { Refusal, type Contract } from './model/contract.js';
import { exerciseIou, issue } from './model/iou.js';
import type { ModelLedger } from './model/ledger.js';
import { endOffer, mint, transfer } from './model/token.js';

export interface Prediction {
  readonly code: string;
  readonly created: readonly Contract[];
}

export function predict(ledger: ModelLedger, command: Command): Prediction {
  try {
    return { code: 'accepted', created: take(ledger, command) ?? [] };
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, created: [] };
    throw error;
  }
}

function take(ledger: ModelLedger, command: Command): readonly Contract[] | void {
  switch (command.kind) {
    case 'issue':
      return issue(ledger, command.submission, command.iou);
    case 'exerciseIou':
      return exerciseIou(ledger, command.submission, command.contract, command.does);
    case 'mint':
      return mint(ledger, command.submission, command.owner, command.amount);
    case 'transfer':
      return transfer(ledger, command.submission, command.wish);
    case 'endOffer':
      return endOffer(ledger, command.submission, command.contract, command.step);
    case 'unassign':
      return ledger.unassign(command.submission, command.contract, command.to);
    case 'assign':
      return ledger.assign(command.submission, command.move);
    case 'advance':
      return ledger.advance(command.microseconds);
    case 'snapshot':
      return ledger.snapshot();
    case 'revert':
      return ledger.revert(command.snapshot);
    case 'schedule':
      return ledger.schedule(command.time, command.migration);
    case 'migrate':
      return ledger.migrate();
  }
}
