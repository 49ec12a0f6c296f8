/** The matcher for Canton errors, in any form in which they reach the test. */
import { nearest } from '../../daml/errors/edit-distance.js';
import { CATALOGUE, type ErrorCode } from '../../daml/errors/error-catalogue.js';
import { findCantonError, type FoundError } from './canton-error.js';
import { contractReport } from './contract-report.js';
import { findContract } from './instances.js';
import { isObject, isSubset, shown, verdict, type MatcherState, type Verdict } from './matcher.js';
import { shortened, shortJson } from './shortened.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { isError } from '../../daml/errors/realms.js';

/** Details that a rejection must have, in addition to its code. */
export interface ExpectedError {
  /** HTTP status of the answer. For a thrown error, the status of the answer over HTTP. */
  readonly status?: number;
  /** Members that the error's context must have. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The result, or a promise of it if the error is not known yet. */
export function toBeCantonError(
  this: MatcherState,
  subject: unknown,
  code: ErrorCode | (string & {}),
  expected: ExpectedError = {},
): Verdict | Promise<Verdict> {
  const settle = (caught: Caught): Verdict => judge(this, caught, code, expected);
  const caught =
    typeof subject === 'function' ? thrownBy(subject as () => unknown) : { value: subject };
  const content = 'accepted' in caught ? caught.accepted : caught.value;
  if (isThenable(content))
    return content.then(
      (accepted) => readOut({ accepted }).then(settle),
      (value: unknown) => readOut({ value }).then(settle),
    ) as Promise<Verdict>;
  return isResponse(content) ? readOut(caught).then(settle) : settle(refusedIn(caught));
}

/** The error that a function threw, or the value that it returned. */
type Caught = { readonly value: unknown } | { readonly accepted: unknown };

function thrownBy(action: () => unknown): Caught {
  try {
    return { accepted: action() };
  } catch (value) {
    return { value };
  }
}

/** Replaces an answer by its body. */
async function readOut(caught: Caught): Promise<Caught> {
  const content = 'accepted' in caught ? caught.accepted : caught.value;
  if (!isResponse(content)) return refusedIn(caught);
  const value = await answerOf(content);
  return content.status < FIRST_REFUSAL && 'accepted' in caught ? { accepted: value } : { value };
}

/** A client that does not throw returns the error. */
function refusedIn(caught: Caught): Caught {
  if (!('accepted' in caught) || findCantonError(caught.accepted) === undefined) return caught;
  return { value: caught.accepted };
}

/** Answers with this HTTP status or above are errors. */
const FIRST_REFUSAL = 400;

function judge(
  state: MatcherState,
  caught: Caught,
  code: string,
  expected: ExpectedError,
): Verdict {
  const more = Object.keys(expected).length > 0 ? `, ${shortened(shown(expected))}` : '';
  const call = { subject: 'refusal', text: `toBeCantonError(${shown(code)}${more})` };
  const misspelt = misspeltCode(code);
  if ('accepted' in caught)
    return verdict(state, call, false, () => [
      `Nothing was refused. The result: ${shortened(shown(caught.accepted))}`,
      misspelt,
    ]);
  const found = findCantonError(caught.value);
  if (found === undefined)
    return verdict(state, call, false, () => [
      `Not a Canton error: ${raw(caught.value)}`,
      misspelt,
    ]);
  const errors = faultsOf(state, found, code, expected);
  // No error has an unknown code, so expecting a different code is also a mistake.
  if (misspelt !== undefined && found.code !== code)
    return verdict(state, call, state.isNot === true, () => [misspelt, '', ...errorReport(found)]);
  return verdict(state, call, errors.length === 0, () => [
    ...(errors.length === 0 ? ['It is this error.'] : errors),
    '',
    ...errorReport(found),
  ]);
}

/** A sentence for a code that Canton does not have but that is similar to one of its codes. */
function misspeltCode(code: string): string | undefined {
  if (Object.hasOwn(CATALOGUE, code)) return undefined;
  const meant = nearest(code, Object.keys(CATALOGUE));
  return meant && `There is no error code ${code}. Did you mean ${meant}?`;
}

function faultsOf(
  state: MatcherState,
  found: FoundError,
  code: string,
  { status, context }: ExpectedError,
): string[] {
  const errors: string[] = [];
  if (found.code !== code) errors.push(`Its code is ${found.code}, expected ${code}.`);
  if (status !== undefined && found.status !== status)
    errors.push(
      `Its HTTP status is ${found.status ?? 'not known, for this is a body alone'}, expected ${status}.`,
    );
  for (const [name, value] of Object.entries(context ?? {})) {
    if (!Object.hasOwn(found.context, name)) errors.push(`Its context has no ${name}.`);
    else if (!isSubset(state, found.context[name], value))
      errors.push(
        `Its context has ${name} ${shortJson(found.context[name])}, expected ${shortened(shown(value))}.`,
      );
  }
  return errors;
}

function errorReport({
  code,
  cause,
  status,
  context,
  resources,
  explanation,
  explained,
}: FoundError): string[] {
  const why = explained?.();
  const contracts = [...new Set(resources.map(([, value]) => value))].flatMap((id) => {
    const located = findContractQuietly(id);
    return located === undefined ? [] : ['', contractReport(located)];
  });
  return [
    `${code}${status === undefined ? '' : ` (HTTP ${status})`}: ${shortened(cause)}`,
    ...(explanation === undefined || why !== undefined ? [] : [`  ${explanation}`]),
    ...(Object.keys(context).length === 0 ? [] : [`  context   ${shortJson(context)}`]),
    ...(resources.length === 0 ? [] : [`  resources ${shortJson(resources)}`]),
    ...(why === undefined ? [] : ['', why]),
    ...contracts,
  ];
}

/** An error may come from any system. Without a known instance, nothing is added. */
function findContractQuietly(contractId: string) {
  try {
    return findContract(contractId);
  } catch {
    return undefined;
  }
}

function raw(value: unknown): string {
  if (isError(value)) return `${value.name}: ${value.message}`;
  return shortened(shown(value));
}

function isThenable(value: unknown): value is Promise<unknown> {
  return isObject(value) && typeof value.then === 'function';
}

interface FetchResponse {
  readonly status: number;
  readonly bodyUsed: boolean;
  clone(): { text(): Promise<string> };
}

function isResponse(value: unknown): value is FetchResponse {
  return isObject(value) && typeof value.clone === 'function' && typeof value.text === 'function';
}

/** Reads a clone, so that the test can still read the answer. */
async function answerOf(response: FetchResponse): Promise<object> {
  if (response.bodyUsed)
    throw withCallerStack(
      new Error('Failed to read the answer: its body was read already. Give the body instead.'),
    );
  return { status: response.status, body: await response.clone().text() };
}
