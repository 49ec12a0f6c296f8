/** Where the steps of a submission went, of whatever a trace can be had of: its code is run again for it, and nothing is kept. */
import { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import type { Explanation } from '../../daml/errors/explanation.js';
import { StepSampling, type StepProfile } from '../../daml/tracing/step-profile.js';
import type { Network } from '../network.js';
import { invalidArgument } from '../request-errors.js';
import { traceOfPrepared } from './trace-prepared.js';
import { sourceOf, type Traced } from './traced.js';
import { ranOf, ranOfRefusal, rerunOf } from './traces.js';

/** @throws LedgerError INVALID_ARGUMENT as for a trace, and where there is no code that can be run again */
export function profileOf(network: Network, of: Traced | Explanation): StepProfile {
  const sampling = new StepSampling();
  if (run(network, of, sampling) === undefined)
    throw invalidArgument('There is no code of it to run again.');
  return sampling.profile();
}

/** @returns undefined where it cannot be run */
function run(network: Network, of: Traced | Explanation, sampling: StepSampling): unknown {
  const source = sourceOf(network, of);
  if (source === undefined) return undefined;
  if (source instanceof SubmissionExplanation) {
    const ran = ranOfRefusal(source);
    return ran === undefined ? source.facts.trace(sampling) : rerunOf(network, ran, sampling);
  }
  if ('preparedTransaction' in source) return traceOfPrepared(network, source, sampling);
  return source.kind === 'transaction'
    ? rerunOf(network, ranOf(network, source), sampling)
    : undefined;
}
