/** A participant's resource limits; they are stored for its operator, without effect. */
export interface ResourceLimits {
  /** Undefined for no limit. */
  readonly maxInflightValidationRequests?: number | undefined;
  /** Per second. Undefined for no limit. */
  readonly maxSubmissionRate?: number | undefined;
  readonly maxSubmissionBurstFactor: number;
}

/** Canton's defaults. */
export const DEFAULT_RESOURCE_LIMITS: ResourceLimits = {
  maxInflightValidationRequests: 500,
  maxSubmissionRate: 200,
  maxSubmissionBurstFactor: 0.5,
};
