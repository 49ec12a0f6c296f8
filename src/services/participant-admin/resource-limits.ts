/**
 * `ResourceManagementService`: the limits of concurrent requests to a participant. NOTE: limits are stored and
 * returned, but Canticle does not enforce them.
 */
import type { ResourceLimits } from '../../network/administration/resource-limits.js';
import type { AdminContext } from './admin-context.js';
import { invariantViolation } from './parsing/conversion.js';
import { required } from './parsing/fields.js';
import { parsed } from './parsing/parsed.js';

const INT_SIZE = 2 ** 32;
const MAX_INT = 2 ** 31 - 1;

/** Canton stores signed integers, but the messages have unsigned ones. Throws a ConversionError. */
function nonNegative(field: string, value: number | undefined): void {
  if (value === undefined || value <= MAX_INT) return;
  throw invariantViolation(
    field,
    `Received the negative ${value - INT_SIZE} as argument, but we require a non-negative value here.`,
  );
}

/** Throws a ConversionError. */
function readLimits({ newLimits }: { readonly newLimits?: ResourceLimits }): ResourceLimits {
  const limits = required('new_limits', newLimits);
  const { maxInflightValidationRequests, maxSubmissionRate, maxSubmissionBurstFactor } = limits;
  nonNegative('max_inflight_validation_requests', maxInflightValidationRequests);
  nonNegative('max_submission_rate', maxSubmissionRate);
  if (!(maxSubmissionBurstFactor > 0))
    throw invariantViolation(
      'max_submission_burst_factor',
      `Received the non-positive ${printedDouble(maxSubmissionBurstFactor)} as argument, but we require a positive value here.`,
    );
  return { maxInflightValidationRequests, maxSubmissionRate, maxSubmissionBurstFactor };
}

const printedDouble = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(1) : String(value);

export const resourceLimits = {
  getResourceLimits: ({ participant }: AdminContext) => ({
    currentLimits: participant.resourceLimits.value,
  }),
  setResourceLimits: parsed(readLimits, ({ participant }, limits) => {
    participant.resourceLimits.value = limits;
    return {};
  }),
};
