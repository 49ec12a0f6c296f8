/** The effects of faults on answers over HTTP: lost, rejected by a proxy, replaced, or with changed values. */
import { isBytes } from '../../daml/errors/realms.js';
import type { Delivery, GivenAnswer, LossForm } from '../../services/calls/call.js';
import type { ApiName } from '../../spec/generated/control.js';
import type { WireAnswer } from '../answers.js';
import { isOfSplice } from '../request-timeout.js';

/** The journal's entry for the answer of a broken connection. */
const NO_ANSWER: WireAnswer = {
  status: 0,
  headers: {},
  delivery: { kind: 'lost', as: 'reset' },
};

export const lostAnswer = (as: LossForm): WireAnswer =>
  as === 'reset' ? NO_ANSWER : proxyAnswer(as);

export function deliveredAnswer(answer: WireAnswer, delivery: Delivery): WireAnswer {
  if (delivery.kind === 'lost' && delivery.as !== 'reset') return proxyAnswer(delivery.as);
  return { ...answer, delivery };
}

/** A body that is not JSON stays unchanged. */
export function alteredAnswer(
  answer: WireAnswer,
  values: Readonly<Record<string, unknown>>,
): WireAnswer {
  const { body } = answer;
  if (body === undefined || body.length === 0) return answer;
  let root: unknown;
  try {
    root = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
  } catch {
    return answer;
  }
  for (const [path, value] of Object.entries(values)) place(root, path.split('.'), value);
  return { ...answer, body: JSON.stringify(root) };
}

/** Sets the value at the path; does nothing if a parent on the path is missing. */
function place(within: unknown, path: readonly string[], value: unknown): void {
  const [name, ...more] = path;
  if (typeof within !== 'object' || within === null || name === undefined) return;
  const members = within as Record<string, unknown>;
  if (more.length === 0) members[name] = value;
  else if (Object.hasOwn(members, name)) place(members[name], more, value);
}

const REASONS = {
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
} as const;

/** Splice's apps limit their request rates themselves, and do not send Retry-After. */
export function turnedAwayAnswer(status: 429 | 503, retryAfter: number, api: ApiName): WireAnswer {
  if (status === 503 || !isOfSplice(api))
    return proxyAnswer(status, { 'retry-after': String(retryAfter) });
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    body: 'Too Many Requests: Server is busy, please try again later.',
  };
}

/** The answer of nginx, the usual proxy of Splice's apps and of many participants. */
function proxyAnswer(
  status: keyof typeof REASONS,
  headers: WireAnswer['headers'] = {},
): WireAnswer {
  const title = `${status} ${REASONS[status]}`;
  const lines = [
    `<html>`,
    `<head><title>${title}</title></head>`,
    `<body>`,
    `<center><h1>${title}</h1></center>`,
    `<hr><center>nginx</center>`,
    `</body>`,
    `</html>`,
    ``,
  ];
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: lines.join('\r\n') };
}

export function givenAnswer({ status = 200, headers = {}, body }: GivenAnswer): WireAnswer {
  if (body === undefined) return { status, headers };
  if (typeof body === 'string' || isBytes(body)) return { status, headers, body };
  const typed = { 'content-type': 'application/json', ...headers };
  return { status, headers: typed, body: JSON.stringify(body) };
}
