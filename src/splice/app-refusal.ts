/** Errors that a Splice app itself reports, with its own texts, as opposed to errors of the ledger behind it. */
export type AppStatus = 400 | 401 | 404 | 409 | 429 | 500 | 501 | 503;

/** The HTTP response has this status and the body `{"error": text}`. */
export class AppRefusal extends Error {
  override readonly name: string = 'AppRefusal';
  constructor(
    readonly status: AppStatus,
    text: string,
  ) {
    super(text);
  }
}
