/**
 * Package vetting: lists vetted packages by participant, and changes them. The deprecated operations with the shorter
 * path have the same effect (B-LEG-015). Requests are read in the wire form, whose errors have a special code
 * (B-VET-006).
 */
import {
  packageIdError,
  uniqueIdentifierError,
  type TextRule,
} from '../../../daml/model/identifiers.js';
import { conversionError, parseInstant } from '../../../daml/codec/java-time.js';
import { formatInstant } from '../../../daml/model/time.js';
import type { Participant } from '../../../network/participant.js';
import {
  listVetted,
  MAX_VETTED_PACKAGES_PAGE_SIZE,
  vettedState,
  type VettedState,
} from '../../../network/vetting/vetted-packages.js';
import {
  readReference,
  type PackageReference,
} from '../../../network/vetting/vetting-references.js';
import {
  updateVetting,
  type VettingChange,
  type VettingUpdate,
} from '../../../network/vetting/vetting-update.js';
import type {
  ListVettedPackagesRequest,
  ListVettedPackagesResponse,
  PriorTopologySerial,
  UpdateVettedPackagesRequest,
  UpdateVettedPackagesResponse,
  VettedPackages,
  VettedPackagesChange,
  VettedPackagesRef,
} from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';
import { optionalSynchronizer, protoDeserializationFailure } from '../formats/requests.js';
import { readVettingToken, writeVettingToken } from './vetting-token.js';

export const packageVetting = {
  'getV2Package-vetting': ({ participant }, { body }) => list(participant, body),

  'postV2Package-vettingList': ({ participant }, { body }) => list(participant, body),

  'postV2Package-vetting': ({ participant }, { body }) => update(participant, body),

  'postV2Package-vettingUpdate': ({ participant }, { body }) => update(participant, body),
} satisfies SomeHandlers<'ledger'>;

function list(
  participant: Participant,
  request: ListVettedPackagesRequest,
): ListVettedPackagesResponse {
  const { packageMetadataFilter, topologyStateFilter, pageToken = '', pageSize = 0 } = request;
  const filter = {
    packageIds: checkAll(packageIdError, packageMetadataFilter?.packageIds, 'package_ids'),
    namePrefixes: packageMetadataFilter?.packageNamePrefixes ?? [],
    synchronizerIds: checkAll(
      uniqueIdentifierError,
      topologyStateFilter?.synchronizerIds,
      'synchronizer_ids',
    ),
    participantIds: checkAll(
      uniqueIdentifierError,
      topologyStateFilter?.participantIds,
      'participant_ids',
    ),
  };
  const after = pageToken === '' ? undefined : readVettingToken(pageToken);
  const states = listVetted(participant, filter, after, checkPageSize(pageSize));
  const last = states.at(-1);
  return {
    vettedPackages: states.map((state) => render(participant, state)),
    nextPageToken: last === undefined ? '' : writeVettingToken(last),
  };
}

function checkAll(rule: TextRule, texts: readonly string[] = [], field: string): readonly string[] {
  for (const text of texts) {
    const error = rule(text);
    if (error !== undefined)
      throw protoDeserializationFailure(`ValueConversionError(${field},${error})`);
  }
  return texts;
}

function checkPageSize(size: number): number {
  const error =
    size < 0
      ? `Received the negative ${size} as argument, but we require a non-negative value here.`
      : size > MAX_VETTED_PACKAGES_PAGE_SIZE
        ? `Page size must not exceed the server's maximum of ${MAX_VETTED_PACKAGES_PAGE_SIZE}`
        : undefined;
  if (error !== undefined)
    throw protoDeserializationFailure(`InvariantViolation(Some(page_size),${error})`);
  return size === 0 ? MAX_VETTED_PACKAGES_PAGE_SIZE : size;
}

function update(
  participant: Participant,
  request: UpdateVettedPackagesRequest,
): UpdateVettedPackagesResponse {
  const { synchronizerId, past, present } = updateVetting(participant, readUpdate(request));
  const rendered = (vetting: typeof past): VettedPackages | undefined =>
    vetting && render(participant, vettedState(participant.id, synchronizerId, vetting));
  // If nothing was vetted before, a successful change adds a state, so the present state exists.
  return { pastVettedPackages: rendered(past), newVettedPackages: rendered(present)! };
}

function readUpdate(request: UpdateVettedPackagesRequest): VettingUpdate {
  const { changes, dryRun = false, synchronizerId, expectedTopologySerial } = request;
  const flags = request.updateVettedPackagesForceFlags ?? [];
  return {
    changes: changes.map(readChange),
    dryRun,
    synchronizerId: optionalSynchronizer(synchronizerId),
    expectedSerial: readSerial(expectedTopologySerial),
    allowIncompatible: flags.includes(
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
    ),
    allowUnvettedDependencies: flags.includes(
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
    ),
  };
}

function readChange({ operation }: VettedPackagesChange): VettingChange {
  if (operation !== undefined && 'Vet' in operation) {
    const { packages = [], newValidFromInclusive, newValidUntilExclusive } = operation.Vet.value;
    return {
      kind: 'vet',
      packages: packages.map(readPackage),
      validFrom: readTime(newValidFromInclusive),
      validUntil: readTime(newValidUntilExclusive),
    };
  }
  if (operation !== undefined && 'Unvet' in operation)
    return { kind: 'unvet', packages: (operation.Unvet.value.packages ?? []).map(readPackage) };
  throw protoDeserializationFailure('FieldNotSet(operation)');
}

function readPackage(reference: VettedPackagesRef): PackageReference {
  const { packageId, packageName, packageVersion } = reference;
  const read = readReference(packageId, packageName, packageVersion);
  if ('error' in read) throw protoDeserializationFailure(read.error);
  return read;
}

function readSerial(expected: PriorTopologySerial | undefined): VettingUpdate['expectedSerial'] {
  const serial = expected?.serial;
  if (serial === undefined || 'Empty' in serial) return undefined;
  if ('NoPrior' in serial) return 'none';
  const { value } = serial.Prior;
  if (value > 0) return value;
  throw protoDeserializationFailure(
    `InvariantViolation(Some(expected_topology_serial),Received the non-positive ${value} as argument, but we require a positive value here.)`,
  );
}

function readTime(text: string | undefined): bigint | undefined {
  if (!text) return undefined;
  const time = parseInstant(text);
  const error = conversionError(time);
  if (error !== undefined) throw protoDeserializationFailure(`TimestampConversionError(${error})`);
  return time;
}

function render(
  { packages }: Participant,
  { synchronizerId, participantId, serial, packages: vetted }: VettedState,
): VettedPackages {
  return {
    packages: vetted.map(({ packageId, validFrom, validUntil }) => ({
      packageId,
      validFromInclusive: validFrom === undefined ? undefined : formatInstant(validFrom),
      validUntilExclusive: validUntil === undefined ? undefined : formatInstant(validUntil),
      packageName: packages.package(packageId)?.name ?? '',
      packageVersion: packages.package(packageId)?.version ?? '',
    })),
    participantId,
    synchronizerId,
    topologySerial: serial,
  };
}
