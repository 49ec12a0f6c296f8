/** Rules of the engine that differ from release to release. Without a rule, the engine behaves as in 3.5. */
export interface EngineRules {
  /**
   * Whether a contract id of no known version is rejected with UNSUPPORTED_CONTRACT_ID; otherwise the participant fails with an internal
   * error (B-ID-034).
   */
  readonly rejectsUnsupportedIds?: boolean;
  /** Whether the text about a missing key has no blanks after its commas (B-ID-035). */
  readonly printsKeysTightly?: boolean;
}
