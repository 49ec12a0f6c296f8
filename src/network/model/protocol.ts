/** The differences between protocol versions, one row each, so that no other code compares versions. */

/** Protocol versions of Canton 3.5 (B-ID-028). 34 is also the latest of 3.4, and what many networks run. */
export const PROTOCOL_VERSIONS = [34, 35] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** 4, of release 3.6, is known, and in no protocol version that has been released. */
export type HashingVersion = 2 | 3 | 4;

export interface Protocol {
  readonly version: ProtocolVersion;
  /** Whether the effects of a failed `try` are rolled back; otherwise the transaction is rejected. */
  readonly rollsBackEffects: boolean;
  /** A package is vetted, and used, only with all that it depends on (B-VET-017). */
  readonly vetsDependencies: boolean;
  /** Daml-LF versions of the packages that transactions may use; any that was uploaded, where absent. */
  readonly languageVersions?: readonly string[];
  /** How a prepared transaction may be hashed (B-INT-007). */
  readonly hashingVersions: readonly HashingVersion[];
  /** External parties sign a synchronizer's physical id; its logical one otherwise (B-INT-016). */
  readonly signsPhysicalId: boolean;
  /** Whether a party may not send more signatures than it has keys. */
  readonly limitsSignatures: boolean;
  /** Too late for its max record time: confirmers refuse it (B-INT-018); otherwise it is not even sequenced. */
  readonly sequencesLate: boolean;
}

export const PROTOCOLS: Readonly<Record<ProtocolVersion, Protocol>> = {
  34: {
    version: 34,
    rollsBackEffects: true,
    vetsDependencies: true,
    languageVersions: ['2.1', '2.2'],
    hashingVersions: [2],
    signsPhysicalId: false,
    limitsSignatures: false,
    sequencesLate: false,
  },
  35: {
    version: 35,
    rollsBackEffects: false,
    vetsDependencies: false,
    hashingVersions: [2, 3],
    signsPhysicalId: true,
    limitsSignatures: true,
    sequencesLate: true,
  },
};

/** The error of a participant for an unsupported hashing scheme. */
export function hashingError(protocol: Protocol, version: HashingVersion): string | undefined {
  const { hashingVersions } = protocol;
  if (hashingVersions.includes(version)) return undefined;
  const minimum = PROTOCOL_VERSIONS.find((each) =>
    PROTOCOLS[each].hashingVersions.includes(version),
  );
  return (
    `Hashing scheme version V${version} is not supported on protocol version ${protocol.version}. ` +
    `Minimum protocol version for hashing version V${version}: ${minimum ?? 'dev'}. ` +
    `Supported hashing version on protocol version ${protocol.version}: ${hashingVersions.map((each) => `V${each}`).join(', ')}`
  );
}
