/** The shapes of states that steps reached: of payloads, numbers of active contracts, and outcomes of commands. */
import type { TypeId } from '../../daml/model/types.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import type { Outcome, Submitted } from '../model/outcome.js';
import { PayloadShape } from './payload-shape.js';

/** More active contracts of a template have the same bucket. */
const MANY = 8;

export class StateShapes {
  private readonly payloads = new Map<TypeId, PayloadShape>();
  private readonly numbers = new Map<TypeId, number>();
  private readonly outcomes = new Map<TypeId, Map<string, Set<string>>>();
  private fresh = 0;

  /** Called after each step. */
  see({ submitted }: Outcome, ledger: FuzzLedger): void {
    for (let i = 0; i < submitted.length; i++) this.seeSubmission(submitted[i]!, ledger);
  }

  /** How many shapes are new since the last call. */
  takeNew(): number {
    const { fresh } = this;
    this.fresh = 0;
    return fresh;
  }

  private seeSubmission({ submission, transaction, error }: Submitted, ledger: FuzzLedger): void {
    const [command] = submission.commands;
    if (command !== undefined) {
      const choice = 'choice' in command ? command.choice : '';
      this.seeOutcome(command.templateId, choice, error?.code ?? '');
    }
    if (transaction === undefined) return;
    const { nodes } = transaction;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (node.kind !== 'create') continue;
      const { templateId, payload } = node.contract;
      let shape = this.payloads.get(templateId);
      if (shape === undefined) {
        shape = new PayloadShape(ledger.packages, templateId);
        this.payloads.set(templateId, shape);
      }
      this.fresh += shape.see(payload, ledger.now);
      this.seeNumber(templateId, ledger);
    }
  }

  private seeOutcome(templateId: TypeId, choice: string, code: string): void {
    let choices = this.outcomes.get(templateId);
    if (choices === undefined) this.outcomes.set(templateId, (choices = new Map()));
    let codes = choices.get(choice);
    if (codes === undefined) choices.set(choice, (codes = new Set()));
    if (codes.has(code)) return;
    codes.add(code);
    this.fresh += 1;
  }

  private seeNumber(templateId: TypeId, ledger: FuzzLedger): void {
    const most = this.numbers.get(templateId) ?? 0;
    if (most >= MANY) return;
    let active = 0;
    for (const list of ledger.listsOf([templateId]))
      for (const { archivedIn } of list) if (archivedIn === undefined) active += 1;
    if (active <= most) return;
    this.numbers.set(templateId, active);
    this.fresh += 1;
  }
}
