/** The extension services of a participant, which Daml code calls from Daml-LF 2.4 on (R-36-075 to R-36-079). */
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
  /** The id of the last request to the service. */
  readonly requestId?: string;
}

export type ServiceAnswer = { readonly output: string } | { readonly failure: ServiceFailure };

/** One call, as its service gets it. */
export interface ServiceQuestion {
  readonly call: ExternalCall;
  readonly mode: ExternalCallMode;
  /** The same for all requests of this call. */
  idempotencyKey(): string;
  /** @param attempt its number, from 0 */
  requestId(attempt: number): string;
}

/** One service: a function of a test, or the client of a real one. */
export interface ExtensionService {
  /** @returns a promise, which never rejects, if the service answers later */
  ask(question: ServiceQuestion): ServiceAnswer | Promise<ServiceAnswer>;
  /** The same for callers that cannot wait. It blocks until the answer arrives. */
  askNow?(question: ServiceQuestion): ServiceAnswer;
}

/** By id. */
export type ExtensionServices = Readonly<Record<string, ExtensionService>>;

/** A participant that calls services. */
export interface ServiceCaller {
  readonly name: string;
  readonly shared: { readonly extensions?: ExtensionServices | undefined };
}

/** The error that the submitter reads (B-INT-052). @param traceId of the command, empty if it has none */
export function failureText(
  { status, message, retryable, isActionable, requestId }: ServiceFailure,
  traceId: string,
): string {
  if (isActionable === true) {
    const id = requestId === undefined ? '' : `external call id = '${requestId}', `;
    return `ExtensionCallError(status code = ${status}, message = "${message}", ${id}retryable = ${retryable}, trace id = tid:${traceId})`;
  }
  const id = requestId === undefined ? '' : `, external call id = '${requestId}'`;
  const trace = traceId === '' ? '' : `, trace id = '${traceId}'`;
  return `External call failed (retryable = ${retryable}${id}${trace})`;
}
