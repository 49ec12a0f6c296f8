/** Profiles the steps of a submission, for everything that has a trace. It runs the code again and stores nothing. */
import { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import type { Explanation } from '../../daml/errors/explanation.js';
import { StepSampling, type StepProfile } from '../../daml/tracing/step-profile.js';
import type { Network } from '../network.js';
import { invalidArgument } from '../model/request-errors.js';
import { traceOfPrepared } from './trace-prepared.js';
import { sourceOf, type Traced } from './traced.js';
import { ranOf, ranOfRefusal, rerunOf } from './traces.js';

/** @throws LedgerError INVALID_ARGUMENT as for a trace, and if there is no code to run again */
export function profileOf(network: Network, of: Traced | Explanation): StepProfile {
  const sampling = new StepSampling();
  if (run(network, of, sampling) === undefined)
    throw invalidArgument('There is no code of it to run again.');
  return sampling.profile();
}

/** @returns undefined if it cannot run */
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
