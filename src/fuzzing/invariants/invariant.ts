/** Invariants that users write in TypeScript. */
import { isError } from '../../daml/errors/realms.js';
import type { Check, Finding, RunningCheck } from '../model/finding.js';
import { UnknownName } from './names.js';
import { FuzzedLedger } from './read-view.js';

/**
 * Whether the ledger is right: false, a sentence about the violation, several of them, or an exception if not. An
 * assertion of a test framework throws an exception.
 */
export type Verdict = boolean | string | readonly string[] | undefined | void;

/**
 * An invariant of a model. It must hold in the start state and after each step of a sequence.
 * @param name identifies its findings
 */
export function invariant(name: string, holds: (ledger: FuzzedLedger) => Verdict): Check {
  return {
    name,
    summary: `The invariant ${name}.`,
    start(state, probe): RunningCheck {
      const ledger = new FuzzedLedger(state, probe);
      let [isBroken, atStart] = [false, violation(name, () => holds(ledger))];
      function* reported(found: Finding | undefined): Generator<Finding> {
        if (isBroken || found === undefined) return;
        isBroken = true;
        yield found;
      }
      const startFinding = (): Finding | undefined =>
        atStart && { ...atStart, place: 'the start state' };
      return {
        *afterStep(outcome) {
          yield* reported(startFinding());
          if (isBroken) return;
          ledger.stepped(outcome);
          yield* reported(violation(name, () => holds(ledger)));
        },
        *atEnd() {
          yield* reported(startFinding());
          atStart = undefined;
        },
      };
    },
  };
}

function violation(check: string, holds: () => Verdict): Finding | undefined {
  const broken = (message: string): Finding => ({ check, place: check, message });
  try {
    const verdict = holds();
    if (verdict === false) return broken(`The invariant ${check} does not hold.`);
    if (verdict === true || verdict === undefined) return undefined;
    const texts = [verdict].flat() as readonly string[];
    return texts.length === 0 ? undefined : broken(texts.join(' '));
  } catch (error) {
    if (!isError(error) || error instanceof UnknownName) throw error;
    return broken(error.message);
  }
}
