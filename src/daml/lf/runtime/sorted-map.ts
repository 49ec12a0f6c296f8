/**
 * TextMap and GenMap: a persistent map in the order of its keys, as a weight-balanced tree. Inserting, deleting and
 * looking up cost the logarithm of its size, and share everything else with the map before.
 */
export type KeyOrder = (left: unknown, right: unknown) => number;

class Node {
  readonly size: number;
  constructor(
    readonly key: unknown,
    readonly value: unknown,
    readonly left: Node | null,
    readonly right: Node | null,
  ) {
    this.size = sizeOf(left) + sizeOf(right) + 1;
  }
}

/** How much heavier one side may be, and when a double rotation is due (Hirai and Yamamoto). */
const DELTA = 3;
const RATIO = 2;

function sizeOf(node: Node | null): number {
  return node === null ? 0 : node.size;
}

function balance(key: unknown, value: unknown, left: Node | null, right: Node | null): Node {
  const [l, r] = [sizeOf(left), sizeOf(right)];
  if (l + r > 1 && r > DELTA * l) return rotateLeft(key, value, left, right!);
  if (l + r > 1 && l > DELTA * r) return rotateRight(key, value, left!, right);
  return new Node(key, value, left, right);
}

function rotateLeft(key: unknown, value: unknown, left: Node | null, right: Node): Node {
  const { left: inner, right: outer } = right;
  if (sizeOf(inner) < RATIO * sizeOf(outer))
    return new Node(right.key, right.value, new Node(key, value, left, inner), outer);
  const { left: a, right: b } = inner!;
  const lower = new Node(right.key, right.value, b, outer);
  return new Node(inner!.key, inner!.value, new Node(key, value, left, a), lower);
}

function rotateRight(key: unknown, value: unknown, left: Node, right: Node | null): Node {
  const { left: outer, right: inner } = left;
  if (sizeOf(inner) < RATIO * sizeOf(outer))
    return new Node(left.key, left.value, outer, new Node(key, value, inner, right));
  const { left: a, right: b } = inner!;
  const lower = new Node(left.key, left.value, outer, a);
  return new Node(inner!.key, inner!.value, lower, new Node(key, value, b, right));
}

function inserted(node: Node | null, key: unknown, value: unknown, order: KeyOrder): Node {
  if (node === null) return new Node(key, value, null, null);
  const side = order(key, node.key);
  if (side === 0) return new Node(key, value, node.left, node.right);
  return side < 0
    ? balance(node.key, node.value, inserted(node.left, key, value, order), node.right)
    : balance(node.key, node.value, node.left, inserted(node.right, key, value, order));
}

function deleted(node: Node | null, key: unknown, order: KeyOrder): Node | null {
  if (node === null) return null;
  const side = order(key, node.key);
  if (side < 0) return balance(node.key, node.value, deleted(node.left, key, order), node.right);
  if (side > 0) return balance(node.key, node.value, node.left, deleted(node.right, key, order));
  if (node.left === null) return node.right;
  if (node.right === null) return node.left;
  const least = leftmost(node.right);
  return balance(least.key, least.value, node.left, withoutLeftmost(node.right));
}

function leftmost(node: Node): Node {
  let current = node;
  while (current.left !== null) current = current.left;
  return current;
}

function withoutLeftmost(node: Node): Node | null {
  if (node.left === null) return node.right;
  return balance(node.key, node.value, withoutLeftmost(node.left), node.right);
}

export class SortedMap {
  private constructor(
    private readonly root: Node | null,
    private readonly order: KeyOrder,
  ) {}

  static empty(order: KeyOrder): SortedMap {
    return new SortedMap(null, order);
  }

  get size(): number {
    return sizeOf(this.root);
  }

  insert(key: unknown, value: unknown): SortedMap {
    return new SortedMap(inserted(this.root, key, value, this.order), this.order);
  }

  delete(key: unknown): SortedMap {
    return this.find(key) === null
      ? this
      : new SortedMap(deleted(this.root, key, this.order), this.order);
  }

  /** `[value]`, or undefined: a value may be anything. */
  lookup(key: unknown): readonly [unknown] | undefined {
    const node = this.find(key);
    return node === null ? undefined : [node.value];
  }

  private find(key: unknown): Node | null {
    let node = this.root;
    while (node !== null) {
      const side = this.order(key, node.key);
      if (side === 0) return node;
      node = side < 0 ? node.left : node.right;
    }
    return null;
  }

  /** Entries in the order of their keys. */
  toArray(): readonly (readonly [key: unknown, value: unknown])[] {
    const entries: (readonly [unknown, unknown])[] = [];
    const visit = (node: Node | null): void => {
      if (node === null) return;
      visit(node.left);
      entries.push([node.key, node.value]);
      visit(node.right);
    };
    visit(this.root);
    return entries;
  }
}
