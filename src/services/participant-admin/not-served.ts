/** A kind of request that a method of the admin API does not serve, although the method exists. */
export class NotServed extends Error {
  /** @param what the part of the request that the method does not support */
  constructor(readonly what: string) {
    super(`${what} is not served.`);
  }
}

/** An error that has only a gRPC status and its text. */
export class PlainRefusal extends Error {
  /** @param code of gRPC */
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
