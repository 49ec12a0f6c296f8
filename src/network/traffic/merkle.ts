/** Merkle trees as Canton sends them: a hash replaces each part that a reader may not see. */
import { bytesOf, join, message, NOTHING, raw, versioned, type Part } from './message-bytes.js';
import type { Noise } from './noise.js';

const VERSION = 30;

/** A node that the reader sees. */
export const shown = (content: Part): Part => message(1, content);
/** A node of which the reader sees only the hash. */
export const hidden = (noise: Noise): Part => message(2, noise.hash());

/** Hashes of the inner nodes of one sequence, which are the same in the trees of all readers. */
export class SequenceHashes {
  private readonly known = new Map<string, Part>();

  constructor(private readonly noise: Noise) {}

  at(layer: number, index: number): Part {
    const key = `${layer} ${index}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const part = raw(bytesOf(hidden(this.noise)));
    this.known.set(key, part);
    return part;
  }
}

/** A balanced tree over elements, joined in pairs layer by layer. An undefined element is hidden. */
export function sequence(elements: readonly (Part | undefined)[], hashes: SequenceHashes): Part {
  if (elements.length === 0) return NOTHING;
  let layer = elements.map((each) => each && versioned(VERSION, message(3, shown(each))));
  for (let depth = 0; layer.length > 1; depth += 1) {
    const next: (Part | undefined)[] = [];
    const node = (part: Part | undefined, index: number) =>
      part === undefined ? hashes.at(depth, index) : shown(part);
    for (let i = 0; i < layer.length; i += 2) {
      const [first, second] = [layer[i], layer[i + 1]];
      if (i + 1 === layer.length) next.push(first);
      else if (first === undefined && second === undefined) next.push(undefined);
      else
        next.push(versioned(VERSION, message(1, node(first, i)), message(2, node(second, i + 1))));
    }
    layer = next;
  }
  const [root] = layer;
  return message(1, root === undefined ? hashes.at(-1, 0) : shown(root));
}

/** The four parts of a transaction's tree. */
export const transactionTree = (
  submitter: Part,
  common: Part,
  participant: Part,
  rootViews: Part,
): Part =>
  join(message(1, submitter), message(2, common), message(3, participant), message(4, rootViews));
