/** Asserts a refusal of the Ledger API whole: what upstream's tool asserts of one, and the HTTP status. */
import type { Answer } from './client.js';
import { statusOf } from './error-categories.js';

export interface Expected {
  /** A part of the cause, or a pattern that it matches. */
  readonly cause?: string | RegExp;
  /** What `definite_answer` says in the context, or the body's own member where the JSON layer refuses; `null`: neither says. */
  readonly definite?: boolean | null;
  /** Entries of the context, as texts or matchers. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Where the code alone does not tell: NA stands for several. */
  readonly status?: number;
}

/**
 * Holds for an answer with the code, the code's HTTP status, and all that is expected beside. (Category, gRPC status and
 * retryability of every refusal are compared by the client that received it.)
 * @returns its body, for what else a test has to say of it
 */
export async function expectRefused(
  answering: Answer | Promise<Answer>,
  code: string,
  { cause, definite, context, ...expected }: Expected = {},
): Promise<Answer['body']> {
  const { status, body } = await answering;
  const { context: told, definiteAnswer } = body;
  const isDefinite = { true: true, false: false }[String(told?.definite_answer ?? definiteAnswer)];
  expect({ status, code: body.code, cause: body.cause, definite: isDefinite ?? null }).toEqual({
    status: expected.status ?? statusOf(code),
    code,
    cause:
      typeof cause === 'string'
        ? expect.stringContaining(cause)
        : expect.stringMatching(cause ?? /./),
    definite: definite === undefined ? (isDefinite ?? null) : definite,
  });
  if (context !== undefined) expect(told).toMatchObject(context);
  return body;
}
