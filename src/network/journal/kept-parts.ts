/**
 * The parts of the state that a file of a world has, by name. Every container of the journal is one of them from its making on, so
 * that none is forgotten; what is not there yet when a file is read takes its part when it is made.
 */
import { invariant } from '../../daml/errors/ledger-error.js';

/** What can be written and read back. Neither is a change: nothing is journaled. */
export interface KeptPart {
  /**
   * What there is now: lists, maps, plain objects and what else `worlds/graph-writer.ts` knows. Undefined where it is as it was made:
   * no file has it then.
   */
  kept(): unknown;
  /** Takes what was kept in place of all that there is. */
  restore(kept: unknown): void;
}

export class KeptParts {
  private readonly parts = new Map<string, KeptPart>();
  /** What nobody has taken yet. */
  private readonly waiting = new Map<string, unknown>();

  /** @param name unlike any other's; none for what is no part by itself */
  add(name: string | undefined, part: KeptPart): void {
    if (name === undefined) return;
    invariant(!this.parts.has(name), `no two parts of the state are called ${name}`);
    this.put(name, part);
  }

  /** The same, in place of what was called so. */
  put(name: string, part: KeptPart): void {
    this.parts.set(name, part);
    if (!this.waiting.has(name)) return;
    part.restore(this.waiting.get(name));
    this.waiting.delete(name);
  }

  /** By name, in code unit order. */
  kept(): readonly (readonly [string, unknown])[] {
    return [...this.parts.keys()]
      .sort()
      .map((name) => [name, this.parts.get(name)!.kept()] as const)
      .filter(([, kept]) => kept !== undefined);
  }

  restore(kept: readonly (readonly [string, unknown])[]): void {
    for (const [name, value] of kept) {
      const part = this.parts.get(name);
      if (part === undefined) this.waiting.set(name, value);
      else part.restore(value);
    }
  }
}
