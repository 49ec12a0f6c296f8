/** What a participant takes on at a time: kept for its operator. */
export interface ResourceLimits {
  /** Undefined for no limit. */
  readonly maxInflightValidationRequests?: number | undefined;
  /** A second. Undefined for no limit. */
  readonly maxSubmissionRate?: number | undefined;
  readonly maxSubmissionBurstFactor: number;
}

/** Canton's. */
export const DEFAULT_RESOURCE_LIMITS: ResourceLimits = {
  maxInflightValidationRequests: 500,
  maxSubmissionRate: 200,
  maxSubmissionBurstFactor: 0.5,
};
