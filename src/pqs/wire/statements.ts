/** The prepared statements and portals of one connection. */
import { error } from './errors.js';
import type { Effects } from './effects.js';

export class Statements {
  /** The names in the database, by those of the connection. */
  private readonly names = new Map<string, string>();
  private readonly effects = new Map<string, Effects>();
  private readonly portals = new Map<string, Effects>();
  private count = 0;

  /** @param limit of prepared statements */
  constructor(
    private readonly connection: number,
    private readonly limit: number,
  ) {}

  /** The name in the database. @throws SqlError above the limit */
  readonly internal = (name: string): string => {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    if (this.names.size >= this.limit)
      throw error('54000', `a connection can have ${this.limit} prepared statements`);
    this.count += 1;
    const created = `canticle_${this.connection}_${this.count}`;
    this.names.set(name, created);
    return created;
  };

  /** Whether there are any. */
  get exist(): boolean {
    return this.names.size > 0;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  prepared(name: string, effects: Effects): void {
    this.effects.set(name, effects);
  }

  closed(name: string): void {
    this.names.delete(name);
    this.effects.delete(name);
  }

  bound(portal: string, statement: string): void {
    const effects = this.effects.get(statement);
    if (effects === undefined) this.portals.delete(portal);
    else this.portals.set(portal, effects);
  }

  /** The effects of a portal. Those of a cursor of SQL are unknown, and it has none. */
  ofPortal(portal: string): Effects | undefined {
    return this.portals.get(portal);
  }

  /** Portals end with their transaction. */
  endTransaction(): void {
    this.portals.clear();
  }

  /** Forgets all, and returns their names in the database. */
  takeAll(): string[] {
    const all = [...this.names.values()];
    this.names.clear();
    this.effects.clear();
    return all;
  }

  /** A text of the database with the names of the connection. */
  shown(text: string): string {
    if (!text.includes('canticle_')) return text;
    let result = text.replaceAll('prepared statement "canticle_', 'prepared statement "\u0001');
    if (result === text) return text;
    for (const [name, created] of this.names) {
      const inside = `prepared statement "\u0001${created.slice('canticle_'.length)}"`;
      const own = name === '' ? 'unnamed prepared statement' : `prepared statement "${name}"`;
      result = result.replaceAll(inside, own);
    }
    return result.replaceAll('\u0001', 'canticle_');
  }
}
