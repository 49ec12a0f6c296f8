/** What differs between the versions of splice-amulet: which can be booted, from what, and what their choices take. */
import { template, type PackageLookup } from '../daml/model/package.js';
import { typeId } from '../daml/model/types.js';
import { compareVersions } from '../daml/model/versions.js';
import { fitting } from '../splice/fitting.js';
import type { ParticipantView } from './participant-view.js';
import { ScenarioError } from './scenario-error.js';

const NAME = 'splice-amulet';
/** The first with rules for external parties, which transfers by the token standard go through. */
const FIRST = '0.1.9';
/** The first whose configuration may say that transfers cost nothing (CIP-78). */
const FIRST_WITHOUT_FEES = '0.1.14';

/** @throws ScenarioError where there is none, or one from before the token standard */
export function bootableVersion(packages: PackageLookup): string {
  const id = packages.packageIdForName(NAME);
  if (id === undefined)
    throw new ScenarioError(
      "Amulet's code is not here. Upload your copy of Splice's DAR first, such as splice-amulet-0.1.14.dar.",
    );
  const { version } = packages.package(id)!;
  if (compareVersions(version, FIRST) < 0)
    throw new ScenarioError(
      `Failed to boot ${NAME} ${version}: it knows no token standard yet. Take ${FIRST} or a later one.`,
    );
  return version;
}

/** What transfers cost where nobody says it: what they did on the networks of that version. */
export function defaultFees(version: string): 'none' | 'before-cip-78' {
  return compareVersions(version, FIRST_WITHOUT_FEES) < 0 ? 'before-cip-78' : 'none';
}

/** An argument of a choice of AmuletRules, without fields that came later. */
export function fittingChoice(
  { engine: { packages } }: ParticipantView,
  choice: string,
  argument: unknown,
): unknown {
  const id = typeId(packages.packageIdForName(NAME)!, 'Splice.AmuletRules:AmuletRules');
  const type = template(packages, id)?.choices.get(choice)?.argumentType;
  return type === undefined ? argument : fitting(packages, type, argument);
}
