/** The users of a script's in-memory ledger. It starts without users. */
import type { ScriptRight, ScriptUser, ScriptUsers } from '../ledger.js';

interface Row {
  readonly user: ScriptUser;
  readonly rights: Map<string, ScriptRight>;
}

const keyOf = ({ kind, party }: ScriptRight): string => `${kind} ${party ?? ''}`;

export class IdeUsers implements ScriptUsers {
  private readonly rows = new Map<string, Row>();

  create(user: ScriptUser, rights: readonly ScriptRight[]): boolean {
    if (this.rows.has(user.id)) return false;
    const given = new Map(rights.map((right) => [keyOf(right), right]));
    this.rows.set(user.id, { user, rights: given });
    return true;
  }

  get(id: string): ScriptUser | undefined {
    return this.rows.get(id)?.user;
  }

  delete(id: string): boolean {
    return this.rows.delete(id);
  }

  /** By their ids. */
  all(): readonly ScriptUser[] {
    return [...this.rows.keys()].sort().map((id) => this.rows.get(id)!.user);
  }

  grant(id: string, rights: readonly ScriptRight[]): readonly ScriptRight[] | undefined {
    const row = this.rows.get(id);
    if (row === undefined) return undefined;
    const added = new Map(rights.map((right) => [keyOf(right), right]));
    for (const key of row.rights.keys()) added.delete(key);
    for (const [key, right] of added) row.rights.set(key, right);
    return [...added.values()];
  }

  revoke(id: string, rights: readonly ScriptRight[]): readonly ScriptRight[] | undefined {
    const row = this.rows.get(id);
    if (row === undefined) return undefined;
    const revoked = new Map(rights.map((right) => [keyOf(right), right]));
    return [...revoked].filter(([key]) => row.rights.delete(key)).map(([, right]) => right);
  }

  rights(id: string): readonly ScriptRight[] | undefined {
    const row = this.rows.get(id);
    return row && [...row.rights.values()];
  }
}
