/** The extension services of a participant, which Daml code calls from Daml-LF 2.4 on (R-36-075 to R-36-079). */
import type { ExternalCallService } from '../../daml/interpreter/input.js';
import type { ExternalCall } from '../../daml/model/transaction.js';

export type ExternalCallMode = 'submission' | 'validation';

/** Why a service did not answer. */
export interface ServiceFailure {
  /** Of HTTP, or what a participant uses in its place. */
  readonly status: number;
  readonly message: string;
  readonly retryable: boolean;
  /** Whether the submitter sees the message. */
  readonly isActionable?: boolean;
}

export type ServiceAnswer = { readonly output: string } | { readonly failure: ServiceFailure };

/** One service: a function of a test, or the client of a real one. */
export type ExtensionService = (call: ExternalCall, mode: ExternalCallMode) => ServiceAnswer;

/** By id. */
export type ExtensionServices = Readonly<Record<string, ExtensionService>>;

export function answerOf(
  services: ExtensionServices,
  call: ExternalCall,
  mode: ExternalCallMode,
): ServiceAnswer {
  const { extensionId } = call;
  if (Object.hasOwn(services, extensionId)) return services[extensionId]!(call, mode);
  const message = `Extension '${extensionId}' not configured`;
  return { failure: { status: 404, message, retryable: false, isActionable: true } };
}

/** The services for the commands that a participant runs; undefined for a participant without any. */
export const forSubmission = (
  services: ExtensionServices | undefined,
): ExternalCallService | undefined =>
  services &&
  ((call) => {
    const answer = answerOf(services, call, 'submission');
    return 'output' in answer ? answer : { error: textOf(answer.failure) };
  });

/** NOTE: without the ids of the request to the service and of the trace, which a participant adds. */
function textOf({ status, message, retryable, isActionable }: ServiceFailure): string {
  return isActionable
    ? `ExtensionCallError(status code = ${status}, message = "${message}", retryable = ${retryable})`
    : `External call failed (retryable = ${retryable})`;
}
