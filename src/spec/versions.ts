/**
 * The releases that this simulator speaks, as data: one row each. Each release has its
 * own file of operations and messages (`facts/canton`). No code compares releases.
 */
import type { ValueRules } from '../daml/codec/json/value-rules.js';
import type { LanguageSupport } from '../daml/dar/check-languages.js';
import type { EngineRules } from '../daml/refusals/engine-rules.js';
import type { ProtocolVersion } from '../network/model/protocol.js';
import type { DefinedRelease } from '../network/protobuf/definitions/releases.js';
import type { DeprecatedApis } from './deprecated/deprecated-apis.js';
import {
  FIELDS_0_8,
  FIELDS_0_9,
  PACKAGES_0_7_4,
  PACKAGES_0_8,
  type FieldsOfRelease,
  type PackageVersions,
} from './packages/splice-packages.js';

/** The differences between releases of the Ledger API, besides the rows of operations and messages. */
export interface Release {
  /** The answer of `GET /v2/version`. */
  readonly version: string;
  /** The default protocol version of its synchronizers. */
  readonly protocolVersion: ProtocolVersion;
  /** The Daml-LF versions that its participants support. */
  readonly languages: LanguageSupport;
  /** Bytes of a request body (B-GEN-045). */
  readonly maxBodyBytes: number;
  /** Levels of JSON in an argument of a command or a contract key, including its own; no limit if absent. */
  readonly maxArgumentDepth?: number;
  /**
   * Whether filters may name packages by their ids, at whose name they then mean all versions of a template
   * (B-PSL-010).
   */
  readonly filtersByPackageId: boolean;
  /** Whether rights may be granted for unknown parties (B-USR-007). */
  readonly grantsForUnknownParties: boolean;
  /** Whether values of `Sec-WebSocket-Protocol` after the first count, too (B-AUTH-002). */
  readonly trimsSubprotocols: boolean;
  /** Whether `/livez` and `/readyz` check a token if there is one (B-AUTH-034). */
  readonly healthTakesTokens: boolean;
  /** Whether a client may set the time limit of its request in a header (B-GEN-070; R-36-022 to R-36-026). */
  readonly takesTimeouts?: boolean;
  /** Whether a stream ends when the identity provider of its user is deactivated (B-AUTH-041; R-36-048). */
  readonly endsStreamsOfProviders?: boolean;
  /** Whether tokens that parties sign are accepted, if the service is configured (B-AUTH-042; R-36-039). */
  readonly takesPartyTokens?: boolean;
  /** Whether its participants can count the traffic of each party (B-TRF-009; R-36-046). */
  readonly hasTrafficAccounts?: boolean;
  /** Whether errors name a resource by its kind alone: `USER`, not `ErrorResource(USER)` (B-ERR-043). */
  readonly namesKindsAlone: boolean;
  /** Whether the answer to an unknown path has its member without a value (B-GEN-065; R-34-022). */
  readonly writesNullErrors: boolean;
  /** Whether the details of a status are texts that Scala prints, of two kinds only (B-GEN-066; R-34-023 to R-34-025). */
  readonly printsStatusDetails: boolean;
  /** Whether an error of a token's check has the trace of its request (B-ERR-044; R-34-028). */
  readonly tracesTokenErrors: boolean;
  /** Whether the errors of a WebSocket have the trace of its request (B-ERR-044; R-34-029). */
  readonly tracesStreams: boolean;
  /** Whether an unreadable identifier in a body is an error without its text and place (B-GEN-067; R-34-020). */
  readonly hidesIdentifierErrors: boolean;
  /** How the JSON layer reads Daml values. */
  readonly values?: ValueRules;
  /** The definitions of its gRPC services and messages, if they differ from those of the default release (B-GRPC-034). */
  readonly definitions?: DefinedRelease;
  /** Whether the status of commands leaves out prepared transactions that were executed (B-GRPC-032; R-34-056). */
  readonly hidesExecutions?: boolean;
  /** Whether an import of contracts concerns all synchronizers, not the one that the request names (B-GRPC-037; R-34-096). */
  readonly importsIntoAllSynchronizers?: boolean;
  readonly engine: EngineRules;
  /** Whether a token must have an audience, so that one with a scope alone is rejected (B-DEP-008, R-36-021). */
  readonly rejectsTokensWithoutAudience?: boolean;
  /** The deprecated parts that are disabled by default. */
  readonly disabledApis: readonly DeprecatedApis[];
  /** The deprecated parts that it no longer has (B-DEP-007, R-36-021). */
  readonly removedApis?: readonly DeprecatedApis[];
}

const MIB = 1024 * 1024;

const IN_3_5 = {
  version: '3.5.14',
  protocolVersion: 35,
  languages: { known: ['2.1', '2.2', '2.3', '2.dev'] },
  maxBodyBytes: 8 * MIB,
  filtersByPackageId: false,
  grantsForUnknownParties: true,
  trimsSubprotocols: false,
  healthTakesTokens: true,
  namesKindsAlone: false,
  writesNullErrors: true,
  printsStatusDetails: false,
  tracesTokenErrors: true,
  tracesStreams: true,
  hidesIdentifierErrors: false,
  engine: {},
  disabledApis: [],
} satisfies Release;

const IN_3_6 = {
  ...IN_3_5,
  version: '3.6.1',
  languages: {},
  maxBodyBytes: 10 * MIB,
  maxArgumentDepth: 110,
  trimsSubprotocols: true,
  namesKindsAlone: true,
  takesTimeouts: true,
  endsStreamsOfProviders: true,
  takesPartyTokens: true,
  hasTrafficAccounts: true,
  definitions: '3.6',
  engine: {
    protocolVersions: [34, 35, 36],
    rejectsUnsupportedIds: true,
    printsKeysTightly: true,
    advisesScheme: true,
    checksNodeVersions: true,
    movesForStakeholdersOnly: true,
  },
  disabledApis: ['endpoints-34', 'parameters-34', 'endpoints-35'],
} satisfies Release;

/**
 * In the form of `--canton`. A row inherits the members of the row before it, and that of 3.4 those of the row after
 * it. The document of 3.7 is an early one, of its main branch.
 */
export const RELEASES = {
  '3.4': {
    ...IN_3_5,
    version: '3.4.12',
    protocolVersion: 34,
    languages: { known: ['2.1', '2.2', '2.dev'], asRange: true },
    filtersByPackageId: true,
    grantsForUnknownParties: false,
    healthTakesTokens: false,
    writesNullErrors: false,
    printsStatusDetails: true,
    tracesTokenErrors: false,
    tracesStreams: false,
    hidesIdentifierErrors: true,
    values: { acceptsNumbersAsInts: true, readsFieldsInOrder: true, looksUpConstructors: true },
    definitions: '3.4',
    hidesExecutions: true,
    importsIntoAllSynchronizers: true,
    engine: {
      protocolVersions: [34],
      namesDetailsOfNewParties: true,
      checksNewPartiesLate: true,
      acceptsAnyNumberOfSignatures: true,
      rejectsRepeatedDisclosures: true,
      sendsFirstCheckpointLate: true,
      sharesAnyPartyRights: true,
      checksVettingOfPackagesOnly: true,
    },
  },
  '3.5': IN_3_5,
  '3.6': IN_3_6,
  '3.7': {
    ...IN_3_6,
    version: '3.7.0-SNAPSHOT',
    definitions: '3.7',
    engine: { ...IN_3_6.engine, estimatesMoves: true },
    // Its early document does not have the operations.
    hasTrafficAccounts: false,
    disabledApis: [],
    removedApis: ['endpoints-34', 'parameters-34', 'endpoints-35'],
    rejectsTokensWithoutAudience: true,
  },
} satisfies Record<string, Release>;

export type ApiVersion = keyof typeof RELEASES;

/**
 * The name of a release. NOTE: internally, a release with documents of the user has the name and a key of these
 * documents, with a plus sign between them.
 */
export function releaseName(version: ApiVersion): ApiVersion {
  return version.replace(/\+.*$/, '') as ApiVersion;
}

export const API_VERSIONS = Object.keys(RELEASES) as readonly ApiVersion[];

/** The default release of the Ledger API. */
export const DEFAULT_API_VERSION: ApiVersion = '3.5';

export function releaseOf(version: ApiVersion = DEFAULT_API_VERSION): Release {
  // Each call asks for its release. The usual name needs no search for a suffix.
  const usual: Release | undefined = RELEASES[version];
  return usual ?? RELEASES[releaseName(version)];
}

/** The differences between releases of Splice's apps. */
export interface SpliceRelease {
  /** The version that its apps report. */
  readonly version: string;
  /** The release of Canton that it runs on by default. */
  readonly canton: ApiVersion;
  /** The APIs whose documents are known. The others are served as in the release before. */
  readonly documents: readonly SpliceApi[];
  /** The versions of its packages. */
  readonly packages: PackageVersions;
  /** Whether its packages are only known to have these versions or later ones. */
  readonly hasLaterPackages: boolean;
  /** The fields of records that Scan knows in addition to those of 0.7.4 (R-08-008, R-09-012). */
  readonly laterFields?: FieldsOfRelease;
  /** Whether verdicts name the first open round at their time (S-EVT-016). */
  readonly verdictsHaveRounds: boolean;
  /** Whether delegates mint coupons of SV rewards, too (WA-COU-007; R-09-011). */
  readonly delegatesMintSvCoupons: boolean;
  /** Whether a list in a request to Scan or the SV app has at most 1000 items (S-GEN-021; R-09-007, R-09-008). */
  readonly limitsLists: boolean;
  /** Operations that release notes remove, where the document is not known, with the reasons. */
  readonly removed?: Readonly<Partial<Record<SpliceApi, Readonly<Record<string, string>>>>>;
  /** Parts that no source decides. They are served as in the release before. */
  readonly undecided: readonly string[];
}

/** The APIs of Splice's apps. */
export type SpliceApi = 'scan' | 'sv' | 'validator' | 'wallet' | 'names' | 'registry';

const SPLICE_0_7_4 = {
  version: '0.7.4',
  canton: '3.5',
  documents: ['scan', 'sv', 'validator', 'wallet', 'names', 'registry'],
  packages: PACKAGES_0_7_4,
  hasLaterPackages: false,
  verdictsHaveRounds: false,
  delegatesMintSvCoupons: false,
  limitsLists: false,
  undecided: [],
} satisfies SpliceRelease;

const SPLICE_0_8 = {
  ...SPLICE_0_7_4,
  version: '0.8.4',
  documents: ['scan', 'sv', 'validator', 'wallet'],
  packages: PACKAGES_0_8,
  laterFields: FIELDS_0_8,
} satisfies SpliceRelease;

const LATER_PACKAGES =
  'The versions of its packages are not known: it uses the newest installed ones from 0.8 on.';

const SPLICE_0_9 = {
  ...SPLICE_0_8,
  version: '0.9.0',
  canton: '3.6',
  documents: ['scan'],
  hasLaterPackages: true,
  laterFields: FIELDS_0_9,
  verdictsHaveRounds: true,
  delegatesMintSvCoupons: true,
  limitsLists: true,
  removed: { sv: { getDsoInfo: '0.9 removed it. Version 1 is for operators.' } },
  undecided: [
    'The document of Scan is from its development. Others of 0.9 are not public.',
    LATER_PACKAGES,
  ],
} satisfies SpliceRelease;

/** In the form of `--splice`. A row inherits the members of the row before it. */
export const SPLICE_RELEASES = {
  '0.7.4': SPLICE_0_7_4,
  '0.8': SPLICE_0_8,
  '0.9': SPLICE_0_9,
  '0.10': {
    ...SPLICE_0_9,
    version: '0.10.0',
    canton: '3.7',
    documents: [],
    undecided: ['No document of 0.10 is public: its apps answer as those of 0.9.', LATER_PACKAGES],
  },
} satisfies Record<string, SpliceRelease>;

export type SpliceVersion = keyof typeof SPLICE_RELEASES;

export const SPLICE_VERSIONS = Object.keys(SPLICE_RELEASES) as readonly SpliceVersion[];

/** The default release of Scan, the validator and the registry. */
export const DEFAULT_SPLICE_VERSION: SpliceVersion = '0.7.4';

/** The release of a version that an app reports, such as `0.9.3`; undefined if it is not known. */
export const spliceVersionOf = (reported: string): SpliceVersion | undefined =>
  SPLICE_VERSIONS.find((each) => minorOf(each) === minorOf(reported));

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

export function spliceReleaseOf(version: SpliceVersion = DEFAULT_SPLICE_VERSION): SpliceRelease {
  return SPLICE_RELEASES[version];
}
