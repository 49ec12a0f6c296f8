/** Keeps a database in step with the log of a participant: it writes new updates, and deletes what the ledger has undone. */
import type { Participant } from '../../network/participant.js';
import type { Update } from '../../network/model/updates.js';
import type { RowOptions } from './row-options.js';
import { SCHEMA_OF } from '../schema/columns.js';
import type { JsGetUpdatesResponse } from '../../spec/generated/ledger.js';
import type { SqlSession } from '../store.js';
import { LogReader } from './log-reader.js';
import { Names } from './names.js';
import { RowWriter } from './rows.js';
import { sqlJson } from './sql-json.js';

/** A transaction in the database. */
interface Mark {
  readonly ix: number;
  readonly offset: number;
  /** Undefined for the first one, which replaces all before it. */
  readonly update: Update | undefined;
  /** The key of the last event. */
  readonly eventPk: number;
}

/** Events after which a statement ends: it writes whole transactions. */
const MAX_BATCH_EVENTS = 2000;

export class ParticipantWriter {
  /** The number of updates that rows lag behind the ledger. */
  lag = 0;
  private readonly reader: LogReader;
  private readonly names: Names;
  private readonly rows: RowWriter;
  private marks: Mark[] = [];
  /** The offset up to which the log was read, and its entry there. */
  private seen: { readonly offset: number; readonly entry: unknown } | undefined;
  /** Whether rows were taken that the database does not have: an error, or a user's reset. */
  private isBroken = false;
  /** Whether the ledger went back since the last call: then changes by SQL go back, too. */
  private isReverted = false;
  /** The end of the log when the database was made. */
  private readonly latest: number;

  /** @throws Error for an invalid filter */
  constructor(
    private readonly participant: Participant,
    private readonly options: RowOptions,
  ) {
    this.reader = new LogReader(participant, options);
    this.names = new Names(participant.packages);
    const { version = '3.5' } = options;
    const { includes, includesBlob } = this.reader;
    this.latest = participant.log.end;
    participant.ledger.onRevert(() => (this.isReverted = true));
    this.rows = new RowWriter(this.names, SCHEMA_OF[version], includes, includesBlob);
  }

  /** Writes all updates up to the current end of the log. */
  async catchUp(session: SqlSession): Promise<void> {
    if (this.isBroken) await this.startOver(session);
    await this.goBack(session);
    // Later updates are left to the next call.
    const end = this.endOfRows();
    if (this.names.update()) this.reader.packagesChanged();
    while (await this.writeNext(session, end));
  }

  private endOfRows(): number {
    const { log } = this.participant;
    if (this.lag === 0) return log.end;
    let left = this.lag;
    for (const { offset, update } of log.backwards()) {
      if (left === 0) return offset;
      if (update !== undefined) left -= 1;
    }
    return 0;
  }

  /** Deletes transactions that are not in the log any more. */
  private async goBack(session: SqlSession): Promise<void> {
    if (!this.isReverted || this.marks.length === 0) return;
    const mark = this.marks.findLast((each) => this.isInLog(each));
    const { rows } = await session.query(SETTINGS_AND_CHANGES);
    const { ix, changed } = rows[0]!;
    // A user has deleted or changed rows that are in the log as they were.
    const isChanged = changed === true || ix !== watermarkOf(this.marks.at(-1)).ix;
    if (mark === undefined || isChanged) await this.startOver(session);
    else if (mark !== this.marks.at(-1)) await this.keepUntil(session, mark);
    this.isReverted = false;
  }

  private isInLog({ offset, update }: Mark): boolean {
    const { log } = this.participant;
    if (update === undefined) return offset <= log.end;
    return offset <= log.forgottenUpTo || log.entry(offset)?.update === update;
  }

  private async keepUntil(session: SqlSession, mark: Mark): Promise<void> {
    const { ix, offset } = watermarkOf(mark);
    await session.query('call public.__canticle_revert($1, $2)', [ix, offset]);
    this.marks.length = mark.ix + 1;
    this.rows.continueAfter(mark.ix, mark.eventPk);
    this.seen = undefined;
  }

  private async startOver(session: SqlSession): Promise<void> {
    await session.query('call public.__canticle_clear()');
    this.isBroken = false;
    this.marks = [];
    this.rows.continueAfter(-1, 0);
    this.seen = undefined;
  }

  /** @returns whether there may be more */
  private async writeNext(session: SqlSession, end: number): Promise<boolean> {
    const before = this.marks.at(-1);
    const added = before === undefined ? [this.seedMark()] : [];
    const begin = added[0]?.offset ?? this.readUpTo(before!);
    let isAll = true;
    for (const { offset, element } of this.reader.updates(begin, end)) {
      const ix = this.marks.length + added.length;
      this.addUpdate(ix, element);
      added.push(this.mark(ix, offset));
      if (this.rows.eventCount < MAX_BATCH_EVENTS) continue;
      isAll = false;
      break;
    }
    if (added.length > 0 || !this.names.areWritten) {
      if (!(await this.append(session, before, added.at(-1) ?? before!))) {
        await this.followReset(session);
        return true;
      }
      this.marks.push(...added);
    }
    if (isAll) this.seen = { offset: end, entry: this.participant.log.entry(end) };
    return !isAll;
  }

  /** The offset after which updates may be missing. */
  private readUpTo(mark: Mark): number {
    const { seen } = this;
    const { log } = this.participant;
    const isSame = seen?.entry !== undefined && log.entry(seen.offset) === seen.entry;
    return isSame ? Math.max(seen.offset, mark.offset) : mark.offset;
  }

  private seedMark(): Mark {
    const offset = this.startOffset();
    this.rows.seed(offset, offset === 0 ? [] : this.reader.activeAt(offset));
    return { ix: 0, offset, update: undefined, eventPk: this.rows.eventPk };
  }

  private startOffset(): number {
    const { ledgerStart = 'Genesis' } = this.options;
    const { log } = this.participant;
    const oldest = Math.max(log.prunedUpTo, log.forgottenUpTo);
    const wanted = ledgerStart === 'Latest' ? this.latest : Number(ledgerStart) || 0;
    return Math.min(Math.max(oldest, wanted), log.end);
  }

  private mark(ix: number, offset: number): Mark {
    const update = this.participant.log.entry(offset)!.update!;
    return { ix, offset, update, eventPk: this.rows.eventPk };
  }

  private addUpdate(ix: number, { update }: JsGetUpdatesResponse): void {
    if (update === undefined) return;
    if ('Transaction' in update) this.rows.transaction(ix, update.Transaction.value);
    else if ('Reassignment' in update) {
      const { id, ledger } = this.participant;
      const { value } = update.Reassignment;
      this.rows.reassignment(ix, value, (contractId) => {
        const created = ledger.contracts.get(contractId)?.createdIn.offsets.get(id);
        return created !== undefined && created < value.offset;
      });
    }
  }

  /** One statement, which writes all or nothing. @returns false if a user has reset the database */
  private async append(
    session: SqlSession,
    before: Mark | undefined,
    last: Mark,
  ): Promise<boolean> {
    const rowsByTable = Object.entries({ ...this.names.unwritten, ...this.rows.takeRows() });
    const batch = {
      ...Object.fromEntries(rowsByTable.filter(([, each]) => each.length > 0)),
      ...watermarkOf(last),
      after: watermarkOf(before).ix,
    };
    this.isBroken = true;
    const { rows } = await session.query('select public.__canticle_append($1::jsonb) as done', [
      sqlJson(batch),
    ]);
    this.isBroken = false;
    const isDone = rows[0]!['done'] === true;
    if (isDone) this.names.noteWritten();
    return isDone;
  }

  /** Continues from the transaction to which a user has reset the database, as a real PQS does when it starts again. */
  private async followReset(session: SqlSession): Promise<void> {
    const { rows } = await session.query('select w.ix from public.__watermark w');
    const ix = rows[0]?.['ix'];
    const mark = this.marks[Number(ix ?? -1)];
    if (mark === undefined) await this.startOver(session);
    else await this.keepUntil(session, mark);
  }
}

/** Also resets the offsets that the session has set. */
const SETTINGS_AND_CHANGES = `
select w.ix, public.__canticle_is_changed() as changed, set_config('pqs.session_offset_latest', '', false),
  set_config('pqs.session_offset_oldest', '', false)
from public.__watermark w`;

/** An empty ledger has a first transaction, but no watermark. */
const watermarkOf = (
  mark: Mark | undefined,
): { readonly ix: number | null; readonly offset: number | null } =>
  mark === undefined || (mark.update === undefined && mark.offset === 0)
    ? { ix: null, offset: null }
    : { ix: mark.ix, offset: mark.offset };
