/** The kinds of a package, in its table and elsewhere. Each is decoded once. */
import { illegalInterning, parseError } from './dar-refusals.js';
import { lf2, type Lf2 } from './lf-messages.js';
import { kindArrow, NAT, STAR, type LfKind } from './lf-type.js';
import { notSupported, requireOne, type LanguageVersion } from './lf-version.js';
import type { Message } from './wire/message.js';
import type { Parts } from './wire/wire-reader.js';

const EMPTY: Uint8Array = new Uint8Array();

export class LfKinds {
  private table: LfKind[] | undefined;
  private readonly known = new Map<string, LfKind>();

  constructor(
    private readonly entries: Parts,
    private readonly version: LanguageVersion,
  ) {}

  of(message: Message): LfKind {
    const { key } = message;
    let kind = this.known.get(key);
    if (kind === undefined) {
      kind = this.read(lf2.decode('Kind', message.view), this.readAll());
      this.known.set(key, kind);
    }
    return kind;
  }

  /**
   * The table of kinds.
   * @throws LedgerError for an invalid entry
   */
  readAll(): readonly LfKind[] {
    if (this.table !== undefined) return this.table;
    if (this.entries.length > 0) this.requireFlat('Flat Archive');
    const table: LfKind[] = [];
    for (const entry of this.entries) {
      const kind = lf2.decode('Kind', entry);
      if (kind.interned !== undefined) throw illegalInterning('InternedKind');
      table.push(this.read(kind, table));
    }
    this.table = table;
    return table;
  }

  private read(kind: Lf2<'Kind'>, table: readonly LfKind[]): LfKind {
    const read = (bytes = EMPTY): LfKind => this.read(lf2.decode('Kind', bytes), table);
    if (kind.interned !== undefined) {
      this.requireFlat('Flat Archive (case interned kinds)');
      const entry = table[kind.interned];
      if (entry === undefined)
        throw parseError(`invalid internedKinds table index ${kind.interned}`);
      return entry;
    }
    if (kind.star !== undefined) return STAR;
    if (kind.nat !== undefined) return NAT;
    if (kind.arrow === undefined) throw parseError('Kind.SUM_NOT_SET');
    const { params, result } = lf2.decode('Kind.Arrow', kind.arrow);
    if (params.length === 0) throw parseError('Unexpected empty params');
    requireOne(this.version, params.length, 'params');
    const base = read(result);
    return [...params].reduceRight<LfKind>((to, param) => kindArrow(read(param), to), base);
  }

  private requireFlat(what: string): void {
    if (!this.version.flatArchive) throw notSupported(this.version, what);
  }
}
