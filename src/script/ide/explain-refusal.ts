/**
 * Explains why a script's in-memory ledger refused a submission: the actions before the failure, and the state of
 * the contract that it needed.
 */
import { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import { retrace, unreached } from '../../daml/tracing/retrace.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Interpreter } from '../../daml/interpreter/interpreter.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { formatInstant } from '../../daml/model/time.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { NotFoundReason, ScriptSubmission } from '../ledger.js';
import type { IdeContracts } from './ide-contracts.js';
import type { IdeSubmission } from './ide-submission.js';

/** The progress of a submission: undefined if its commands did not run. */
export interface Reached {
  readonly input: IdeSubmission;
  readonly interpreter: Interpreter;
}

export function explainRefusal(
  error: LedgerError,
  submission: ScriptSubmission,
  packages: PackageLookup,
  contracts: IdeContracts,
  reached: Reached | undefined,
): void {
  const { actAs, readAs, commands } = submission;
  const missed = [...(reached?.input.missed.values() ?? [])];
  error.explainBy(
    new SubmissionExplanation({
      error,
      packages,
      submission: { participant: 'script', commandId: '', actAs, readAs },
      reasons: missed.flatMap((reason) => reasonLines(reason, contracts)),
      trace: () =>
        reached === undefined
          ? unreached(
              packages,
              commands.map(({ command }) => command),
              true,
            )
          : retrace(reached.input, reached.interpreter.used, error),
    }),
  );
}

function reasonLines(reason: NotFoundReason, contracts: IdeContracts): readonly string[] {
  if (reason.kind === 'NotFound') return [];
  const { contractId, templateId } = reason;
  const what = `Contract ${contractId} (${qualifiedNameOf(templateId)})`;
  switch (reason.kind) {
    case 'NotActive': {
      const number = contracts.get(contractId)?.archivedIn;
      return [`${what} was archived${number === undefined ? '' : ` in transaction ${number}`}.`];
    }
    case 'NotEffective':
      return [`${what} comes to be at ${formatInstant(reason.effectiveAt)}, which is later.`];
    case 'NotVisible': {
      const known = reason.observers.join(', ');
      return [
        `${what} is known to ${known}, and none of them who has a stake in it acts or reads: act or read as one of them, or disclose it.`,
      ];
    }
  }
}
