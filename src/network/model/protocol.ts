/** The differences between protocol versions, one row each, so that no other code compares versions. */
import {
  EXTENDED_SERIALIZATION_VERSION,
  KEYED_SERIALIZATION_VERSION,
  SERIALIZATION_VERSION,
} from '../../daml/codec/protobuf/fields.js';

/** Each release of Canton supports some of them (B-ID-028). */
export const PROTOCOL_VERSIONS = [34, 35, 36] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

export const DEFAULT_PROTOCOL_VERSION: ProtocolVersion = 35;

export type HashingVersion = 2 | 3 | 4;

export interface Protocol {
  readonly version: ProtocolVersion;
  /** Whether the effects of a failed `try` are rolled back; otherwise the transaction is rejected. */
  readonly rollsBackEffects: boolean;
  /** A package is vetted, and used, only with all that it depends on (B-VET-017). */
  readonly vetsDependencies: boolean;
  /** Stable Daml-LF versions of the packages that transactions may use (R-36-066). */
  readonly languageVersions: readonly string[];
  /** Whether they may use other versions too, if the participant took the packages. */
  readonly allowsUnstableLanguages: boolean;
  /** How nodes of transactions may be encoded, oldest first. */
  readonly serializationVersions: readonly string[];
  /** How a prepared transaction may be hashed (B-INT-007). */
  readonly hashingVersions: readonly HashingVersion[];
  /** External parties sign a synchronizer's physical id; its logical one otherwise (B-INT-016). */
  readonly signsPhysicalId: boolean;
  /** Whether a party may not send more signatures than it has keys. */
  readonly limitsSignatures: boolean;
  /** Too late for its max record time: confirmers refuse it (B-INT-018); otherwise it is not even sequenced. */
  readonly sequencesLate: boolean;
  /** Whether the views of a recipient travel in one envelope, in newer messages; otherwise each has its own. */
  readonly groupsViews: boolean;
  /** Whether confirmers check the vetting of packages for each part of a transaction (R-36-069). */
  readonly confirmsVettingOfParts: boolean;
  /** Whether participants need a feature flag for reassignments (B-RSG-036). */
  readonly reassignsByFlag: boolean;
  /** How many parties a submission may act as: a limit of the synchronizer's static parameters (R-36-068). */
  readonly maxActAs?: number;
}

export const PROTOCOLS: Readonly<Record<ProtocolVersion, Protocol>> = {
  34: {
    version: 34,
    rollsBackEffects: true,
    vetsDependencies: true,
    languageVersions: ['2.1', '2.2'],
    allowsUnstableLanguages: false,
    serializationVersions: [SERIALIZATION_VERSION],
    hashingVersions: [2],
    signsPhysicalId: false,
    limitsSignatures: false,
    sequencesLate: false,
    groupsViews: false,
    confirmsVettingOfParts: false,
    reassignsByFlag: false,
  },
  35: {
    version: 35,
    rollsBackEffects: false,
    vetsDependencies: false,
    languageVersions: ['2.1', '2.2', '2.3'],
    allowsUnstableLanguages: true,
    serializationVersions: [SERIALIZATION_VERSION, KEYED_SERIALIZATION_VERSION],
    hashingVersions: [2, 3],
    signsPhysicalId: true,
    limitsSignatures: true,
    sequencesLate: true,
    groupsViews: true,
    confirmsVettingOfParts: false,
    reassignsByFlag: true,
  },
  36: {
    version: 36,
    rollsBackEffects: false,
    vetsDependencies: false,
    languageVersions: ['2.1', '2.2', '2.3', '2.4'],
    allowsUnstableLanguages: true,
    serializationVersions: [
      SERIALIZATION_VERSION,
      KEYED_SERIALIZATION_VERSION,
      EXTENDED_SERIALIZATION_VERSION,
    ],
    hashingVersions: [2, 3, 4],
    signsPhysicalId: true,
    limitsSignatures: true,
    sequencesLate: true,
    groupsViews: true,
    confirmsVettingOfParts: true,
    reassignsByFlag: true,
    maxActAs: 1000,
  },
};

/** The oldest protocol version that knows the hashing scheme. */
function minimumProtocolOf(version: HashingVersion): ProtocolVersion {
  return PROTOCOL_VERSIONS.find((each) => PROTOCOLS[each].hashingVersions.includes(version))!;
}

/** The error of a participant for an unsupported hashing scheme (R-36-062). */
export function hashingError(protocol: Protocol, version: HashingVersion): string | undefined {
  const { hashingVersions } = protocol;
  if (hashingVersions.includes(version)) return undefined;
  return (
    `Hashing scheme version V${version} is not supported on protocol version ${protocol.version}. ` +
    `Minimum protocol version for hashing version V${version}: ${minimumProtocolOf(version)}. ` +
    `Supported hashing version on protocol version ${protocol.version}: ${hashingVersions.map((each) => `V${each}`).join(', ')}`
  );
}

/** The protocol version for languages that are not stable. */
const NEWEST = PROTOCOL_VERSIONS.at(-1)!;

/** The oldest protocol that supports all these languages of packages; packages in TypeScript run with each. */
export function protocolFor(languageVersions: Iterable<string>): Protocol {
  const compiled = [...languageVersions].filter((each) => each !== 'typescript');
  const oldest = PROTOCOL_VERSIONS.find((each) =>
    compiled.every((language) => PROTOCOLS[each].languageVersions.includes(language)),
  );
  return PROTOCOLS[oldest ?? NEWEST];
}
