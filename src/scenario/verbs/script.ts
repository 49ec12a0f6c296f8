/** The verb that runs a Daml script. */
import { FailedCommand, ScriptError, ScriptFailed, ScriptRefusal } from '../../script/failures.js';
import { placeText } from '../../script/free.js';
import { runScriptOn } from '../../script/run-on-network.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { described, name, optional, participant, value } from '../fields.js';
import { verb } from '../row.js';
import { fileAt } from './network.js';

export const script = verb({
  summary: 'Runs a Daml script; what it does stays.',
  subject: described(name, 'Module:name, with #package-name: before it where several have one.'),
  fields: {
    dar: optional(
      described(name, 'Path of its DAR, beside the scenario: uploaded everywhere first.'),
    ),
    with: optional(described(value, 'Its argument.')),
    on: optional(
      described(participant, 'What is meant where it names none; the first by default.'),
    ),
  },
  result: 'its result',
  run: (world, subject, { dar, with: argument, on }) => {
    const bytes = dar === undefined ? undefined : fileAt(world, dar, 'dar');
    try {
      return runScriptOn(world.network, subject, {
        argument,
        ...(bytes && { dar: bytes }),
        ...(on && { participant: on.engine }),
      });
    } catch (error) {
      if (error instanceof ScriptFailed) throw told(error);
      if (error instanceof ScriptError) throw new ScenarioError(error.message, ['script']);
      throw error;
    }
  },
});

/** What the ledger refused, so that it can be expected; otherwise the failure in words. */
function told(failed: ScriptFailed): Error {
  const { cause, failure } = failed;
  const inner = cause instanceof FailedCommand ? cause.innermost.cause : undefined;
  const refused = inner instanceof ScriptRefusal ? inner.refused : undefined;
  if (refused === undefined) return new ScenarioError(failed.message, ['script']);
  const places = failure.places.map(placeText).join(', ');
  refused.explanation?.addReason(`Submitted by the script ${failed.script}, in ${places}.`);
  return refused;
}
