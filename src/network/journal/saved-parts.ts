/**
 * The named parts of the state in a file of a world. Each journal container registers itself when it is created, so
 * that none is missing. If a container is created after a file is read, it receives its part then.
 */
import { invariant } from '../../daml/errors/ledger-error.js';

/** A part that can be written and restored. Restoring is not journaled. */
export interface SavedPart {
  /**
   * The current content: lists, maps, plain objects and the other types of `worlds/graph-writer.ts`. Undefined for the
   * initial content, which files omit.
   */
  saved(): unknown;
  /** Replaces the content. */
  restore(content: unknown): void;
}

export class SavedParts {
  private readonly parts = new Map<string, SavedPart>();
  /** Parts of a file without a container yet. */
  private readonly waiting = new Map<string, unknown>();

  /** @param name a unique name; absent if the part belongs to another part */
  add(name: string | undefined, part: SavedPart): void {
    if (name === undefined) return;
    invariant(!this.parts.has(name), `no two parts of the state are called ${name}`);
    this.put(name, part);
  }

  /** Adds a part, and replaces the part of that name. */
  put(name: string, part: SavedPart): void {
    this.parts.set(name, part);
    if (!this.waiting.has(name)) return;
    part.restore(this.waiting.get(name));
    this.waiting.delete(name);
  }

  /** By name, in code unit order. */
  kept(): readonly (readonly [string, unknown])[] {
    return [...this.parts.keys()]
      .sort()
      .map((name) => [name, this.parts.get(name)!.saved()] as const)
      .filter(([, content]) => content !== undefined);
  }

  restore(content: readonly (readonly [string, unknown])[]): void {
    for (const [name, value] of content) {
      const part = this.parts.get(name);
      if (part === undefined) this.waiting.set(name, value);
      else part.restore(value);
    }
  }
}
