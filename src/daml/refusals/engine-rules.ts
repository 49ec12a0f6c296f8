const SUPPORTED_BY_DEFAULT: readonly number[] = [34, 35];

/** The protocol versions of the participants of a release. */
export const supportedProtocols = (rules: EngineRules | undefined): readonly number[] =>
  rules?.protocolVersions ?? SUPPORTED_BY_DEFAULT;

/** Rules of a participant and its engine that differ from release to release. Without a rule, they behave as in 3.5. */
export interface EngineRules {
  /** The protocol versions that the participant supports; 34 and 35 by default (B-ID-028, R-36-061). */
  readonly protocolVersions?: readonly number[];
  /**
   * Whether a contract id of no known version is rejected with UNSUPPORTED_CONTRACT_ID; otherwise the participant fails with an internal
   * error (B-ID-034).
   */
  readonly rejectsUnsupportedIds?: boolean;
  /** Whether the text about an outdated hashing scheme says `Please use`; otherwise it says `Please using` (R-36-052). */
  readonly advisesScheme?: boolean;
  /** Whether the text about a missing key has no blanks after its commas (B-ID-035). */
  readonly printsKeysTightly?: boolean;
  /** Whether the metadata of a new party is called a member of `party_details` (B-PTY-035; R-34-060, R-34-061). */
  readonly namesDetailsOfNewParties?: boolean;
  /**
   * Whether a new party is checked while it is allocated: its id last, with an internal error, and its identity provider when it already
   * exists (B-PTY-036, B-PTY-037; R-34-062, R-34-063).
   */
  readonly checksNewPartiesLate?: boolean;
  /** Whether the signatures of one party are not counted (B-INT-045; R-34-055). */
  readonly acceptsAnyNumberOfSignatures?: boolean;
  /** Whether a contract that is disclosed twice is an error, also with equal contents (B-DSC-015; R-34-059). */
  readonly rejectsRepeatedDisclosures?: boolean;
  /** Whether the first checkpoint of a stream comes when the stream was idle for long (B-CHK-011; R-34-069). */
  readonly sendsFirstCheckpointLate?: boolean;
  /** Whether administrators of identity providers may give rights for any party (B-USR-035; R-34-071). */
  readonly sharesAnyPartyRights?: boolean;
  /** Whether a vetted package stays without naming synchronizers, and the packages of a DAR are not checked (B-PKG-030; R-34-089). */
  readonly checksVettingOfPackagesOnly?: boolean;
  /** Whether a prepared transaction must not have a node of a newer version than its own (B-INT-048; R-36-053). */
  readonly checksNodeVersions?: boolean;
  /** Whether a reader must be a stakeholder of the inputs that move, not of all inputs (B-RSG-030; R-36-055). */
  readonly movesForStakeholdersOnly?: boolean;
  /** Whether the estimated cost of a prepared transaction includes the reassignments of its inputs (B-TRF-014). */
  readonly estimatesMoves?: boolean;
}

export const NO_RULES: EngineRules = Object.freeze({});
