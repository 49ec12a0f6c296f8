/** What an app of Splice refuses by itself, in its own words, rather than the ledger behind it. */
export type AppStatus = 400 | 401 | 404 | 409 | 429 | 500 | 501 | 503;

/** Answered with this status and `{"error": text}`. */
export class AppRefusal extends Error {
  override readonly name: string = 'AppRefusal';
  constructor(
    readonly status: AppStatus,
    text: string,
  ) {
    super(text);
  }
}
