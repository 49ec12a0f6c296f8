/** Asserts all parts of a Ledger API error: those that upstream's tool asserts, and the HTTP status. */
import type { Answer } from './client.js';
import { statusOf } from './error-categories.js';

export interface Expected {
  /** A part of the cause, or a pattern for it. */
  readonly cause?: string | RegExp;
  /**
   * The `definite_answer` of the context, or of the body if the JSON layer rejects the request; `null`: neither
   * exists.
   */
  readonly definite?: boolean | null;
  /** Entries of the context, as texts or matchers. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Only if the code is ambiguous: NA has several. */
  readonly status?: number;
}

/**
 * Checks that an answer has the code, the code's HTTP status, and the other expected parts. (The client checks the
 * category, gRPC status and retryability of each error.)
 * @returns its body, for further checks of a test
 */
export async function expectRefused(
  answering: Answer | Promise<Answer>,
  code: string,
  { cause, definite, context, ...expected }: Expected = {},
): Promise<Answer['body']> {
  const { status, body } = await answering;
  const { context: received, definiteAnswer } = body;
  const isDefinite = { true: true, false: false }[
    String(received?.definite_answer ?? definiteAnswer)
  ];
  expect({ status, code: body.code, cause: body.cause, definite: isDefinite ?? null }).toEqual({
    status: expected.status ?? statusOf(code),
    code,
    cause:
      typeof cause === 'string'
        ? expect.stringContaining(cause)
        : expect.stringMatching(cause ?? /./),
    definite: definite === undefined ? (isDefinite ?? null) : definite,
  });
  if (context !== undefined) expect(received).toMatchObject(context);
  return body;
}
