/** The releases that the environment names. They replace those of options, so that a rehearsal needs no changes of tests. */
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { fromEnvironment } from '../../options/environment.js';
import {
  API_VERSIONS,
  SPLICE_VERSIONS,
  type ApiVersion,
  type SpliceVersion,
} from '../../spec/versions.js';

interface Named {
  readonly canton?: ApiVersion | undefined;
  readonly splice?: SpliceVersion | undefined;
}

/** @throws TypeError for an unknown release */
export function inNamedReleases<O extends Named>(options: O): O {
  const canton = named('CANTICLE_CANTON', API_VERSIONS);
  const splice = named('CANTICLE_SPLICE', SPLICE_VERSIONS);
  if (splice !== undefined) return { ...options, canton, splice };
  return canton === undefined ? options : { ...options, canton };
}

function named<V extends string>(
  variable: 'CANTICLE_CANTON' | 'CANTICLE_SPLICE',
  known: readonly V[],
): V | undefined {
  const name = fromEnvironment(variable);
  if (!name) return undefined;
  const found = known.find((each) => each === name);
  if (found !== undefined) return found;
  const why = `${variable} is '${name}', not one of ${known.join(', ')}`;
  throw withCallerStack(new TypeError(`Failed to create a Canticle: ${why}.`));
}
