/** Faults over HTTP: what a client sees of them, in place of an answer or of a part of it. */
import type { Note } from '../notes.js';
import { answerUnder, type Delivery } from '../../services/faults/under-faults.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { AppliedFault } from '../../network/faults/faults.js';
import type { GivenAnswer } from '../../network/faults/fault-rule.js';
import type { Api } from '../../spec/api.js';
import type { Operation } from '../../spec/operations.js';
import { isOfSplice } from '../request-timeout.js';
import type { WireAnswer } from '../answers.js';
import type { Exchange, World } from '../contexts.js';
import { isBytes } from '../../daml/errors/realms.js';

/** A request that has been read, and how the dispatcher goes on with it. */
export interface FaultyRequest {
  readonly operation: Operation;
  readonly input: unknown;
  handle(): WireAnswer | Promise<WireAnswer>;
  failed(error: LedgerError): WireAnswer;
  note(answer: WireAnswer, note: Note): WireAnswer;
}

/** Undefined where nothing happens to it. */
export function faultyAnswer(
  { network, participant, splice }: World,
  exchange: Exchange,
  { operation, input, handle, failed, note }: FaultyRequest,
): Promise<WireAnswer> | undefined {
  const { operationId, api } = operation;
  const host = exchange.header('host');
  const met = { operation: operationId, participant: participant.name, host, input, api };
  const applied = api === 'control' ? [] : network.faults.meet(met);
  if (applied.length === 0) return undefined;
  const tell = (more: readonly AppliedFault[]): void => {
    const told = more.map(({ id, text }) => ({ id, fault: text }));
    exchange.faults = [...(exchange.faults ?? []), ...told];
  };
  tell(applied);
  return answerUnder(applied, {
    ...met,
    network,
    participant,
    handle,
    met: tell,
    behind: (updates) => splice.viewpoint.asOf(updates, handle),
    refused: failed,
    lost: (as) => {
      const answer = as === 'reset' ? NO_ANSWER : proxyAnswer(as);
      return note(answer, { outcome: 'refused', explanation: 'Lost before it was processed.' });
    },
    turnedAway: (status, retryAfter) =>
      note(turnedAway(status, retryAfter, api), { outcome: 'refused' }),
    given: (answer) => {
      const given = givenAnswer(answer);
      return note(given, { outcome: given.status < 400 ? 'answered' : 'refused' });
    },
    delivered,
    altered: withValues,
  });
}

/** Of a connection that breaks; a journal has to say something. */
export const NO_ANSWER: WireAnswer = {
  status: 0,
  headers: {},
  delivery: { kind: 'lost', as: 'reset' },
};

function delivered(answer: WireAnswer, delivery: Delivery): WireAnswer {
  if (delivery.kind === 'lost' && delivery.as !== 'reset') return proxyAnswer(delivery.as);
  return { ...answer, delivery };
}

/** What is no JSON stays as it is. */
function withValues(answer: WireAnswer, values: Readonly<Record<string, unknown>>): WireAnswer {
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

/** Where there is nothing on the way, nothing is put. */
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

/** Apps of Splice limit how often they are asked by themselves, and tell nobody when to ask again. */
function turnedAway(status: 429 | 503, retryAfter: number, api: Api): WireAnswer {
  if (status === 503 || !isOfSplice(api))
    return proxyAnswer(status, { 'retry-after': String(retryAfter) });
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    body: 'Too Many Requests: Server is busy, please try again later.',
  };
}

/** As nginx says it, which stands before Splice's apps and many a participant. */
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

function givenAnswer({ status = 200, headers = {}, body }: GivenAnswer): WireAnswer {
  if (body === undefined) return { status, headers };
  if (typeof body === 'string' || isBytes(body)) return { status, headers, body };
  const typed = { 'content-type': 'application/json', ...headers };
  return { status, headers: typed, body: JSON.stringify(body) };
}
