/**
 * Which members an update changes (B-PTY-023 to B-PTY-025, B-USR-014 to B-USR-016). A path names a member, or a message
 * with all its members: a member that is named by itself takes the new value whatever it is; one that is only
 * covered by its message takes it unless it is the default.
 */
import { shorten, splitPath } from './object-meta.js';

/** What a path of dots alone splits into: nothing, which stands for the whole message. */
const WHOLE = '.';

export class UpdateMask {
  private constructor(private readonly paths: ReadonlySet<string>) {}

  /**
   * @param known every member's path
   * @returns the mask, or why it is refused
   */
  static parse(
    paths: readonly string[],
    known: readonly string[],
  ): UpdateMask | { readonly fault: string } {
    if (paths.length === 0) return { fault: 'The update mask contains no entries' };
    const parsed = paths
      .map((path) => splitPath(path, '.').join('.'))
      .map((path, i) => (path || paths[i] === '' ? path : WHOLE));
    for (const path of parsed)
      if (!known.some((member) => covers(path, member)))
        return { fault: `The update path: '${shorten(path)}' points to an unknown field.` };
    const seen = new Set<string>();
    for (const path of parsed) {
      if (seen.has(path)) return { fault: `The update path: '${shorten(path)}' is duplicated.` };
      seen.add(path);
    }
    return new UpdateMask(seen);
  }

  /** The new value of a member if this mask changes it, else undefined. */
  updated<T>(member: string, value: T, isDefault: boolean): T | undefined {
    if (this.paths.has(member)) return value;
    const isCovered = [...this.paths].some((path) => covers(path, member));
    return isCovered && !isDefault ? value : undefined;
  }
}

/** Whether the path is the member or a message around it. */
function covers(path: string, member: string): boolean {
  return path === member || path === WHOLE || member.startsWith(`${path}.`);
}
