/** Chooses the package versions for the commands of a client (B-INT-031 to B-INT-034, B-LEG-016). */
import {
  packageNameError,
  partyError,
  requireArgument,
  requireField,
  uniqueIdentifierError,
} from '../../../daml/model/identifiers.js';
import {
  caseClassHash,
  scalaOrder,
  sequenceHash,
  textHash,
} from '../../../daml/errors/scala-order.js';
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { conversionError, parseInstant } from '../../../daml/codec/java-time.js';
import { preferredPackages, unsatisfiedText } from '../../../network/routing/package-preference.js';
import type { Participant } from '../../../network/participant.js';
import { invalidField, missingField } from '../../../network/model/request-errors.js';
import type { PackageReference } from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';

export const packagePreference = {
  'postV2Interactive-submissionPreferred-packages': ({ participant }, { body }) => {
    const preference = prefer(participant, {
      requirements: body.packageVettingRequirements ?? [],
      synchronizerId: body.synchronizerId,
      vettingValidAt: body.vettingValidAt,
    });
    if ('error' in preference)
      throw ledgerError(
        'NO_PREFERRED_PACKAGES_FOUND',
        `Failed to compute package preferences. Reason: ${preference.error}`,
      );
    return preference;
  },

  'getV2Interactive-submissionPreferred-package-version': ({ participant }, { query }) => {
    const { parties = [], 'package-name': packageName } = query;
    const preference = prefer(participant, {
      requirements: [{ parties, packageName }],
      synchronizerId: query['synchronizer-id'],
      vettingValidAt: query.vetting_valid_at,
    });
    if ('error' in preference) return {};
    const { packageReferences, synchronizerId } = preference;
    return { packagePreference: { packageReference: packageReferences[0]!, synchronizerId } };
  },
} satisfies SomeHandlers<'ledger'>;

interface PreferenceRequest {
  readonly requirements: readonly {
    readonly parties: readonly string[];
    readonly packageName: string;
  }[];
  readonly synchronizerId: string | undefined;
  readonly vettingValidAt: string | undefined;
}

/** The last requirement of a name wins. */
function prefer(
  participant: Participant,
  { requirements, synchronizerId, vettingValidAt }: PreferenceRequest,
): { packageReferences: PackageReference[]; synchronizerId: string } | { error: string } {
  if (requirements.length === 0)
    throw missingField('package_vetting_requirements/packageVettingRequirements');
  const byName = new Map(
    requirements.map(({ parties, packageName }) => {
      requireField(packageNameError, packageName, 'package_name/packageName');
      if (parties.length === 0) throw missingField('parties');
      for (const party of parties) requireArgument(partyError, party);
      return [packageName, parties];
    }),
  );
  const error = synchronizerId ? uniqueIdentifierError(synchronizerId) : undefined;
  if (error !== undefined) throw invalidField('synchronizer_id/synchronizerId', error);
  const validAt = vettingValidAt ? parseInstant(vettingValidAt) : undefined;
  const timeError = validAt === undefined ? undefined : conversionError(validAt);
  if (timeError !== undefined) throw invalidField('vetting_valid_at/vettingValidAt', timeError);
  const preference = preferredPackages(participant, byName, {
    synchronizerId: synchronizerId || undefined,
    validAt,
  });
  if ('unsatisfied' in preference)
    return { error: unsatisfiedText(participant.ledger, preference.unsatisfied) };
  const packageReferences = preference.packageIds.map((packageId) => {
    const { name, version } = participant.packages.package(packageId)!;
    return { packageId, packageName: name, packageVersion: version };
  });
  return {
    packageReferences: [...scalaOrder(packageReferences, referenceHash)],
    synchronizerId: preference.synchronizerId,
  };
}

/** The references are a Scala set. */
function referenceHash({ packageId, packageName, packageVersion }: PackageReference): number {
  const segments = sequenceHash(packageVersion.split('.').map(Number));
  const version = caseClassHash('PackageVersion', [segments]);
  return caseClassHash('PackageReference', [textHash(packageId), version, textHash(packageName)]);
}
