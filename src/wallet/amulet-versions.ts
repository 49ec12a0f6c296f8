/** Differences between versions of splice-amulet: the versions that can be booted, their default fees, and their choices' arguments. */
import { template, type PackageLookup } from '../daml/model/package.js';
import { typeId } from '../daml/model/types.js';
import { compareVersions } from '../daml/model/versions.js';
import { fitting } from '../splice/fitting.js';
import type { ParticipantView } from './participant-view.js';
import { ScenarioError } from './scenario-error.js';

const NAME = 'splice-amulet';
/** The first version with rules for external parties, which token standard transfers use. */
const FIRST = '0.1.9';
/** The first version whose configuration supports free transfers (CIP-78). */
const FIRST_WITHOUT_FEES = '0.1.14';

/** @throws ScenarioError without the package, or for a version before the token standard */
export function bootableVersion(packages: PackageLookup): string {
  const id = packages.packageIdForName(NAME);
  if (id === undefined)
    throw new ScenarioError(
      'The package splice-amulet is missing. Upload your copy of the Splice DAR first, such as splice-amulet-0.1.14.dar.',
    );
  const { version } = packages.package(id)!;
  if (compareVersions(version, FIRST) < 0)
    throw new ScenarioError(
      `Failed to boot ${NAME} ${version}: it does not support the token standard. Use ${FIRST} or later.`,
    );
  return version;
}

/** The default fees: those of the networks with that version. */
export function defaultFees(version: string): 'none' | 'before-cip-78' {
  return compareVersions(version, FIRST_WITHOUT_FEES) < 0 ? 'before-cip-78' : 'none';
}

/** An argument of a choice of AmuletRules, without fields that later versions add. */
export function fittingChoice(
  { engine: { packages } }: ParticipantView,
  choice: string,
  argument: unknown,
): unknown {
  const id = typeId(packages.packageIdForName(NAME)!, 'Splice.AmuletRules:AmuletRules');
  const type = template(packages, id)?.choices.get(choice)?.argumentType;
  return type === undefined ? argument : fitting(packages, type, argument);
}
