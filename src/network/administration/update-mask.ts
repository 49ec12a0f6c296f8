/**
 * The members that an update changes (B-PTY-023 to B-PTY-025, B-USR-014 to B-USR-016). A path names a member, or a
 * message with all its members. A member with its own path always takes the new value. A member below a path takes the
 * new value unless it is the default.
 */
import { shorten, splitPath } from './object-meta.js';

/** A path of dots splits into no parts, and means the whole message. */
const WHOLE = '.';

export class UpdateMask {
  private constructor(private readonly paths: ReadonlySet<string>) {}

  /**
   * @param known every member's path
   * @returns the mask, or the reason why it is invalid
   */
  static parse(
    paths: readonly string[],
    known: readonly string[],
  ): UpdateMask | { readonly error: string } {
    if (paths.length === 0) return { error: 'The update mask contains no entries' };
    const parsed = paths
      .map((path) => splitPath(path, '.').join('.'))
      .map((path, i) => (path || paths[i] === '' ? path : WHOLE));
    for (const path of parsed)
      if (!known.some((member) => covers(path, member)))
        return { error: `The update path: '${shorten(path)}' points to an unknown field.` };
    const seen = new Set<string>();
    for (const path of parsed) {
      if (seen.has(path)) return { error: `The update path: '${shorten(path)}' is duplicated.` };
      seen.add(path);
    }
    return new UpdateMask(seen);
  }

  /** The new value of a member if this mask changes it, otherwise undefined. */
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
