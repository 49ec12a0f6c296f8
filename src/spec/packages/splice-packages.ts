/** The versions of Splice's packages in each release (L-TOP-009, L-TOP-013), in the order of upload: dependencies first. */

/** The fields of records that a release adds to those of 0.7.4, by record (R-08-008, R-09-012). */
export interface FieldsOfRelease {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Whether Scan shows further fields of the installed packages. */
  readonly showsOthers: boolean;
}

export const FIELDS_0_8 = {
  fields: {
    'Splice.Amulet:DevelopmentFundCoupon': ['mintAfter'],
    'Splice.AmuletConfig:AmuletConfig': [
      'developmentFundManagerBlacklist',
      'minDevelopmentFundMintingDelay',
    ],
    'Splice.AmuletRules:AmuletRules_AllocateDevelopmentFundCoupon': ['mintAfter'],
    'Splice.DsoRules:DsoRulesConfig': ['svOperationsSwitchOverTimes'],
  },
  showsOthers: false,
} satisfies FieldsOfRelease;

/** Which later fields 0.9 knows is not public, apart from the times of switch-overs. */
export const FIELDS_0_9: FieldsOfRelease = {
  fields: {
    ...FIELDS_0_8.fields,
    'Splice.AmuletConfig:AmuletConfig': [
      ...FIELDS_0_8.fields['Splice.AmuletConfig:AmuletConfig'],
      'amuletSwitchOverTimes',
    ],
  },
  showsOthers: true,
};

/** By the package's name. */
export type PackageVersions = Readonly<Record<string, string>>;

const INTERFACES = [
  'splice-api-token-metadata-v1',
  'splice-api-token-holding-v1',
  'splice-api-token-transfer-instruction-v1',
  'splice-api-token-allocation-v1',
  'splice-api-token-allocation-request-v1',
  'splice-api-token-allocation-instruction-v1',
  'splice-api-token-holding-v2',
  'splice-api-token-transfer-instruction-v2',
  'splice-api-token-allocation-v2',
  'splice-api-token-allocation-request-v2',
  'splice-api-token-allocation-instruction-v2',
  'splice-api-token-transfer-events-v2',
  'splice-api-featured-app-v1',
  'splice-api-featured-app-v2',
  'splice-api-reward-assignment-v1',
];

export const PACKAGES_0_7_4: PackageVersions = {
  ...Object.fromEntries(INTERFACES.map((name) => [name, '1.0.0'])),
  'splice-amulet': '0.1.22',
  'splice-wallet-payments': '0.1.22',
  'splice-wallet': '0.1.23',
  'splice-amulet-name-service': '0.1.23',
  'splice-validator-lifecycle': '0.1.8',
  'splice-token-standard-utils': '2.0.0',
  'splice-util-token-standard-wallet': '1.1.0',
  'splice-util-batched-markers': '1.0.3',
  'splice-dso-governance': '0.1.28',
};

/** The release notes of 0.8.0 name six. The others are those of 0.7.4. */
export const PACKAGES_0_8: PackageVersions = {
  ...PACKAGES_0_7_4,
  'splice-amulet': '0.1.23',
  'splice-wallet-payments': '0.1.23',
  'splice-wallet': '0.1.24',
  'splice-amulet-name-service': '0.1.24',
  'splice-validator-lifecycle': '0.1.9',
  'splice-dso-governance': '0.1.29',
};
