/** Where the steps of a submission went, of whatever a trace can be had of: its code is run again for it, and nothing is kept. */
import { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import type { Explanation } from '../../daml/errors/explanation.js';
import { StepSampling, type StepProfile } from '../../daml/tracing/step-profile.js';
import type { Network } from '../network.js';
import { invalidArgument } from '../request-errors.js';
import { newestCompletion } from './find-submission.js';
import { traceOfPrepared } from './trace-prepared.js';
import { refusalIn, type Traced } from './traced.js';
import { ranOf, ranOfRefusal, rerunOf } from './traces.js';
import { isError } from '../../daml/errors/realms.js';

/** @throws LedgerError INVALID_ARGUMENT as for a trace, and where there is no code that can be run again */
export function profileOf(network: Network, of: Traced | Explanation): StepProfile {
  const sampling = new StepSampling();
  if (!run(network, of, sampling)) throw invalidArgument('There is no code of it to run again.');
  return sampling.profile();
}

/** @returns whether it could be run */
function run(network: Network, of: Traced | Explanation, sampling: StepSampling): boolean {
  if (typeof of === 'string') {
    const update = network.updateById(of);
    if (update?.kind !== 'transaction') return false;
    return rerunOf(network, ranOf(network, update), sampling) !== undefined;
  }
  if (of instanceof SubmissionExplanation) return rerunRefusal(network, of, sampling);
  if (isError(of)) {
    const explanation = refusalIn(of)?.explanation;
    return explanation !== undefined && run(network, explanation, sampling);
  }
  // An explanation of something else.
  if ('isOf' in of) return false;
  if ('preparedTransaction' in of) {
    traceOfPrepared(network, of, sampling);
    return true;
  }
  const completion = newestCompletion(network, of);
  return (
    completion !== undefined && run(network, completion.error ?? completion.updateId, sampling)
  );
}

function rerunRefusal(
  network: Network,
  explanation: SubmissionExplanation,
  sampling: StepSampling,
): boolean {
  const ran = ranOfRefusal(explanation);
  if (ran !== undefined) return rerunOf(network, ran, sampling) !== undefined;
  return explanation.facts.trace(sampling) !== undefined;
}
