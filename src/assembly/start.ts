/** The functions that create a Canticle: on a port, without a port, or for a scenario. */
import { lazy } from '../daml/errors/lazy.js';
import type { ChoiceCoverage } from '../network/coverage/choice-coverage.js';
import type { Progress, ScenarioReport } from '../scenario/run.js';
import type { World } from '../scenario/world.js';
import { assemble, type WorldOptions } from './assemble.js';
import { Canticle } from './canticle.js';
import type { CanticleOptions, StartOptions } from './canticle-options.js';
import type { CanticleParts } from './serving-options.js';
import { checkCreateOptions, checkStartOptions } from './options.js';
import { withRelease } from './releases/stated.js';
import type * as ScenarioRun from '../scenario/run.js';

const scenarioRun = lazy(() => require('../scenario/run.js') as typeof ScenarioRun);

/**
 * @throws TypeError for unknown options, LedgerError for invalid ones, ScenarioError for a scenario that cannot run or whose expectations
 *   do not hold. If it cannot listen, the system's error with its `code`.
 */
export async function startCanticle(given: StartOptions = {}): Promise<Canticle> {
  checkStartOptions(given);
  const options = withRelease(given);
  const { fork } = options;
  const opened = fork && (await (await import('./fork/open-fork.js')).openFork(fork, options));
  const canticle = made({ ...options, ...opened });
  await canticle.listen(options);
  return canticle;
}

/** Creates an instance without a port: only this process can use it. */
export function createCanticle(options: CanticleOptions = {}): Canticle {
  checkCreateOptions(options);
  return made(options);
}

/** The same, but the environment does not change its releases: the titles of its tests name them. */
export function createWithRelease(options: CanticleOptions = {}): Canticle {
  checkCreateOptions(options);
  return made({ ...options, hasOwnRelease: true });
}

function made(options: WorldOptions): Canticle {
  const { canticle, report } = assemble(options, newCanticle);
  if (report !== undefined) scenarioRun().requireMet(report);
  return canticle;
}

export type ReportOptions = Pick<CanticleOptions, 'cache' | 'coverage' | 'interpretationTimeout'> &
  Pick<WorldOptions, 'onRead'>;

/** Runs a scenario file, and reports its expectations. @throws ScenarioError for mistakes in the file */
export function reportScenario(
  file: string,
  progress?: Progress,
  options: ReportOptions = {},
): ScenarioReport & { readonly coverage: ChoiceCoverage } {
  const { report, canticle } = assemble({ ...options, scenario: file }, newCanticle, progress);
  return { ...report!, coverage: canticle.coverage };
}

const newCanticle = (world: World, parts: CanticleParts): Canticle => new Canticle(world, parts);
