/** Says why a fuzzed run cannot start. */
import { FuzzSettingsError } from '../../assembly/fuzzing/settings.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { isError } from '../../daml/errors/realms.js';
import { UnknownAction } from '../../fuzzing/actions/action-set.js';
import { UnknownCheck } from '../../fuzzing/checks/checks.js';
import { InvalidInvariant } from '../../fuzzing/invariants/daml-invariants.js';
import { UnknownName } from '../../fuzzing/invariants/names.js';
import { SetupFailed } from '../../fuzzing/ledger/start-state.js';
import { ScriptError } from '../../script/failures.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { failureLines } from '../test/failure-lines.js';
import { causeOf } from '../terminal.js';

/** Undefined for a bug of Canticle. */
export function problemOf(error: unknown): string | undefined {
  if (error instanceof SetupFailed)
    return ['the setup script failed.', ...failureLines(error.tested.failure!)].join('\n  ');
  const isOfUser = [FuzzSettingsError, UnknownAction, UnknownCheck, InvalidInvariant, ScriptError]
    .concat(UnknownName as never, ScenarioError as never)
    .some((kind) => error instanceof kind);
  if (isOfUser) return (error as Error).message;
  if (error instanceof LedgerError) return causeOf(error);
  const isOfSystem = isError(error) && typeof (error as NodeJS.ErrnoException).code === 'string';
  return isOfSystem || (isError(error, 'Error') && error.constructor === Error)
    ? causeOf(error)
    : undefined;
}
