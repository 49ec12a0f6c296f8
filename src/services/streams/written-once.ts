/**
 * Stores the encoded form of elements, so that an element of several streams is encoded once. It does not use a
 * WeakMap, because its garbage collection takes longer than the encoding.
 */
export class WrittenOnce<T> {
  private readonly member = Symbol('written');

  of(element: object, write: () => T): T {
    const members = element as Record<symbol, T | undefined>;
    return (members[this.member] ??= write());
  }
}
