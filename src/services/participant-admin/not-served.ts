/** A request of a kind that a method of the admin API does not serve, though it is served itself. */
export class NotServed extends Error {
  /** @param what it is of which the method knows nothing */
  constructor(readonly what: string) {
    super(`${what} is not served.`);
  }
}

/** A refusal that is nothing but a status of gRPC and its text. */
export class PlainRefusal extends Error {
  /** @param code of gRPC */
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
