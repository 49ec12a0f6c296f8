/** The verb that runs a Daml script. */
import { FailedCommand, ScriptError, ScriptFailed, ScriptRefusal } from '../../script/failures.js';
import { placeText } from '../../script/free.js';
import { runScriptOn } from '../../script/run-on-network.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { described, name, optional, participant, value } from '../fields.js';
import { verb } from '../row.js';
import { fileAt } from './network.js';

export const script = verb({
  summary: 'Runs a Daml script on this ledger.',
  subject: described(
    name,
    'Module:name; with #package-name: in front if several packages have it.',
  ),
  fields: {
    dar: optional(
      described(
        name,
        'Path of its DAR, relative to the scenario. It is uploaded to all participants first.',
      ),
    ),
    with: optional(described(value, 'Its argument.')),
    on: optional(
      described(participant, 'The default participant of the script. Default: the first.'),
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
      if (error instanceof ScriptFailed) throw errorOf(error);
      if (error instanceof ScriptError) throw new ScenarioError(error.message, ['script']);
      throw error;
    }
  },
});

/** The ledger error, so that a step can expect it; otherwise a description of the failure. */
function errorOf(failed: ScriptFailed): Error {
  const { cause, failure } = failed;
  const inner = cause instanceof FailedCommand ? cause.innermost.cause : undefined;
  const refused = inner instanceof ScriptRefusal ? inner.refused : undefined;
  if (refused === undefined) return new ScenarioError(failed.message, ['script']);
  const places = failure.places.map(placeText).join(', ');
  refused.explanation?.addReason(`Submitted by the script ${failed.script}, in ${places}.`);
  return refused;
}
