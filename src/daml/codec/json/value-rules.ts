/** How the JSON layer of a release reads Daml values. Without a rule, it reads as in 3.5. */
export interface ValueRules {
  /** Whether an Int64 may be a JSON number (B-VAL-043; R-34-001 to R-34-003). */
  readonly acceptsNumbersAsInts?: boolean;
  /**
   * Whether the fields of a record are read in their order, and its members are counted afterwards; otherwise it counts first
   * (B-VAL-044; R-34-005 to R-34-008).
   */
  readonly readsFieldsInOrder?: boolean;
  /**
   * Whether an unknown constructor, or a missing part of a variant, is an internal error of a failed lookup (B-VAL-045; R-34-010 to
   * R-34-015).
   */
  readonly looksUpConstructors?: boolean;
}

export const NO_VALUE_RULES: ValueRules = Object.freeze({});
