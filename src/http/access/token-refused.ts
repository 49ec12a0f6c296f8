/** What is answered to a token before the request is read, and what the journal tells of it. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { MalformedAuthorization } from '../../services/authorization/bearer.js';
import type { Operation } from '../../spec/operations.js';
import { failureAnswer, refusedAnswer, type WireAnswer } from '../answers.js';
import { RequestContext, type Exchange, type World } from '../contexts.js';
import type { Note } from '../notes.js';

/** An answer, and what the journal tells of it. */
export interface Noted {
  readonly answer: WireAnswer;
  readonly note: Note;
}

/** @throws whatever is no refusal */
export function tokenRefused(
  world: World,
  exchange: Exchange,
  { api }: Operation,
  error: unknown,
): { refusal: Noted } {
  if (error instanceof MalformedAuthorization) {
    const { message: reason } = error;
    const refusal = { ok: false, status: 400, text: reason, path: '', reason } as const;
    const note = { outcome: 'refused', validation: { ok: false, reason } } as const;
    return { refusal: { answer: refusedAnswer(api, refusal), note } };
  }
  if (!(error instanceof LedgerError)) throw error;
  const { origin } = new RequestContext(world, exchange);
  const answer = failureAnswer(api, error, { ...origin, isTokenRefused: true });
  const explanation = error.details.cause;
  return { refusal: { answer, note: { outcome: 'refused', error: error.code, explanation } } };
}
