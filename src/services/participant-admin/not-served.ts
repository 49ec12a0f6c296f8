/** A request of a kind that a method of the admin API does not serve, though it is served itself. */
export class NotServed extends Error {
  /** @param what it is of which the method knows nothing */
  constructor(readonly what: string) {
    super(`${what} is not served.`);
  }
}
