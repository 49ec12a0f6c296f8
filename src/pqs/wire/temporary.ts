/**
 * The temporary tables of one connection. All connections share the temporary schema, so outside of the connection's turns its tables
 * have other names.
 */
import type { Backend } from './backend.js';
import { identifier, literal } from './messages.js';

interface Relation {
  readonly oid: string;
  readonly name: string;
  /** TABLE, VIEW, SEQUENCE or INDEX */
  readonly kind: string;
}

/** `pg_class.relkind` of relations that have their own names. */
const KINDS: Readonly<Record<string, string>> = {
  r: 'TABLE',
  p: 'TABLE',
  v: 'VIEW',
  S: 'SEQUENCE',
  i: 'INDEX',
};
const HIDDEN = 'canticle_temporary_';

export class TemporaryTables {
  private hidden: Relation[] = [];

  /** Whether there are any outside of a turn. */
  get exist(): boolean {
    return this.hidden.length > 0;
  }

  async enter(backend: Backend): Promise<void> {
    for (const { oid, name, kind } of this.hidden)
      await backend.run(renaming(kind, HIDDEN + oid, name));
    this.hidden = [];
  }

  async leave(backend: Backend): Promise<void> {
    const own = await ownRelations(backend);
    for (const { oid, name, kind } of own) await backend.run(renaming(kind, name, HIDDEN + oid));
    this.hidden = own;
  }

  /** Drops those of this connection, during its turn. */
  async drop(backend: Backend): Promise<void> {
    for (const { name, kind } of await ownRelations(backend))
      await backend
        .run(`drop ${kind} if exists pg_temp.${identifier(name)} cascade`)
        .catch(() => undefined);
  }
}

const renaming = (kind: string, from: string, to: string): string =>
  `alter ${kind} pg_temp.${identifier(from)} rename to ${identifier(to)}`;

async function ownRelations(backend: Backend): Promise<Relation[]> {
  const kinds = Object.keys(KINDS).map(literal).join(', ');
  const rows = await backend.run(
    `select oid, relname, relkind from pg_catalog.pg_class where relnamespace = pg_my_temp_schema() and relkind in (${kinds}) and not starts_with(relname, ${literal(HIDDEN)}) order by oid`,
  );
  return rows.map(([oid, name, kind]) => ({ oid: oid!, name: name!, kind: KINDS[kind!]! }));
}
