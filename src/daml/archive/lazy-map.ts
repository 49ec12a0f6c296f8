/** Maps that create their entries on first access, because a package has many more definitions than a test uses. */

/** The source of a lazy map: its entries in undecoded form. */
export interface LazyEntries<Key, Source> {
  get(key: Key): Source | undefined;
  [Symbol.iterator](): Iterator<readonly [Key, Source]>;
}

export class LazyMap<Key, Source, Value> implements ReadonlyMap<Key, Value> {
  private readonly made = new Map<Key, Value>();

  constructor(
    private readonly sources: () => LazyEntries<Key, Source>,
    private readonly make: (key: Key, source: Source) => Value,
  ) {}

  get(key: Key): Value | undefined {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const source = this.sources().get(key);
    return source === undefined ? undefined : this.value(key, source);
  }

  has(key: Key): boolean {
    return this.made.has(key) || this.sources().get(key) !== undefined;
  }

  get size(): number {
    let size = 0;
    for (const _ of this.sources()) size += 1;
    return size;
  }

  *keys(): MapIterator<Key> {
    for (const [key] of this.sources()) yield key;
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this) yield value;
  }

  entries(): MapIterator<[Key, Value]> {
    return this[Symbol.iterator]();
  }

  forEach(use: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this) use(value, key, this);
  }

  *[Symbol.iterator](): MapIterator<[Key, Value]> {
    for (const [key, source] of this.sources())
      yield [key, this.made.get(key) ?? this.value(key, source)];
  }

  private value(key: Key, source: Source): Value {
    const value = this.make(key, source);
    this.made.set(key, value);
    return value;
  }
}
