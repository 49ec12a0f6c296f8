/**
 * The wire form of elements, stored with each of them: an element that several streams send is serialized once. Not
 * in a WeakMap, whose garbage collection takes longer than serializing elements.
 */
export class WrittenOnce<T> {
  private readonly member = Symbol('written');

  of(element: object, write: () => T): T {
    const members = element as Record<symbol, T | undefined>;
    return (members[this.member] ??= write());
  }
}
