/** The statements of one connection, over the shared session of its database. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { LocalStore } from '../store.js';
import type { Backend } from './backend.js';
import { copyData, noData } from './copy-in.js';
import { effectsOf, type Effects } from './effects.js';
import { error, FatalSqlError, internal, SqlError, violation } from './errors.js';
import type { SqlPortLimits } from './limits.js';
import {
  bytesOf,
  errorResponse,
  Fields,
  message,
  query,
  readyForQuery,
  text,
  type Message,
} from './messages.js';
import { SessionState, type Database } from './session-state.js';
import { blockedTooLong, waitForTurn, type Turn, type Waiting } from './turns.js';

export interface SessionParts {
  readonly database: Database;
  readonly store: LocalStore;
  readonly limits: SqlPortLimits;
  /** Settings of the start of the connection. */
  readonly start: ReadonlyMap<string, string>;
  readonly link: Link;
}

/** The client's side of the connection. */
export interface Link {
  /** Keeps an answer until the next flush. */
  send(bytes: Buffer): void;
  /** Sends the answers, and waits until the client has room for more. */
  flush(): Promise<void>;
  next(): Promise<Message | undefined>;
  /** Sends a notification to the connections that listen to its channel, this one included. */
  notify(notification: Message): void;
  /** Reports an exception that the database did not raise. */
  failed(cause: unknown): void;
}

const COPY_FAIL = message('f', text('the data of COPY did not arrive'));

export class Session {
  readonly state: SessionState;
  private readonly store: LocalStore;
  private readonly limits: SqlPortLimits;
  private readonly link: Link;
  private turn: Turn | undefined;
  private waiting: Waiting | undefined;
  private overdue: Promise<'overdue'> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** After an error of an extended query, until Sync. */
  private isSkipping = false;
  /** The answers to the current message have an error. */
  private hasFailed = false;

  constructor(id: number, { database, store, limits, start, link }: SessionParts) {
    this.store = store;
    this.limits = limits;
    this.link = link;
    this.state = new SessionState(id, database, limits, start);
  }

  /** Ends the wait of a statement, if one waits. */
  cancel(): void {
    this.waiting?.cancel(error('57014', 'canceling statement due to user request'));
  }

  /** Passes or fails with the turn: what the session waits for must not block other connections for too long. */
  async inTime<T>(wait: Promise<T>): Promise<T> {
    if (this.overdue === undefined) return wait;
    const first = await Promise.race([this.overdue, wait]);
    if (first === 'overdue') throw new FatalSqlError(blockedTooLong(this.limits.blockingMs));
    return first as T;
  }

  /** Handles a message of the client. @throws FatalSqlError that ends the connection */
  async handle(next: Message): Promise<void> {
    if (next.type === 'S') return this.sync();
    if (this.isSkipping) return;
    this.hasFailed = false;
    try {
      await this.perform(next);
      this.isSkipping = this.hasFailed && next.type !== 'Q';
    } catch (cause) {
      if (cause instanceof FatalSqlError) throw cause;
      if (!(cause instanceof SqlError)) this.link.failed(cause);
      await this.fail(internal(cause));
      if (next.type === 'Q' || next.type === 'F') await this.ready();
      else this.isSkipping = true;
    }
  }

  /** Ends the transaction, and removes from the database what belongs to this connection. */
  async dispose(): Promise<void> {
    this.cancel();
    if (this.turn === undefined && !this.state.remains) return;
    const backend = await this.begin(false);
    try {
      await this.state.remove(backend);
    } finally {
      await this.endTurn();
    }
  }

  /** Runs `use` in the session with the settings of the start, to check and to read them. */
  async checkStart<T>(use: (backend: Backend) => Promise<T>): Promise<T> {
    const backend = await this.begin();
    try {
      return await use(backend);
    } finally {
      await this.endTurn();
    }
  }

  private perform(next: Message): Promise<void> | void {
    switch (next.type) {
      case 'Q':
        return this.simple(next);
      case 'P':
        return this.parse(next);
      case 'B':
        return this.bind(next);
      case 'D':
        return this.describe(next);
      case 'E':
        return this.execute(next);
      case 'C':
        return this.close(next);
      case 'F':
        throw error('0A000', 'function calls of the protocol are not supported', 'Use SELECT.');
      // After a COPY that failed, its data can still arrive.
      case 'H':
      case 'd':
      case 'c':
      case 'f':
        return;
      default:
        throw violation(`invalid frontend message type ${next.type.charCodeAt(0)}`);
    }
  }

  private async simple(next: Message): Promise<void> {
    const sql = new Fields(next.body).text();
    const effects = effectsOf(sql, this.state.statements.internal);
    const backend = await this.begin();
    await this.state.before(effects, backend);
    if (effects.copiesIn !== undefined) await this.copyIn(effects, backend);
    else this.forward(await backend.sendToEnd(...sent(next, sql, effects)), effects);
    await this.ready();
  }

  private async parse({ body }: Message): Promise<void> {
    const fields = new Fields(body);
    const name = fields.text();
    const effects = effectsOf(fields.text(), this.state.statements.internal);
    if (effects.copiesIn !== undefined)
      throw error(
        '0A000',
        'COPY FROM STDIN is not supported in an extended query',
        'Use a simple query.',
      );
    const backend = await this.begin();
    if (name === '') await this.state.deallocate(backend, name);
    const isNew = !this.state.statements.has(name);
    const internalName = text(this.state.statements.internal(name));
    const answers = await backend.send(
      message('P', internalName, text(effects.sql), fields.rest()),
    );
    if (this.forward(answers)) this.state.statements.prepared(name, effects);
    else if (isNew) this.state.statements.closed(name);
  }

  private async bind({ body }: Message): Promise<void> {
    const fields = new Fields(body);
    const [portal, name] = [fields.text(), fields.text()];
    await this.withStatement(name, (internalName) =>
      message('B', text(portal), internalName, fields.rest()),
    );
    this.state.statements.bound(portal, name);
  }

  private async describe(next: Message): Promise<void> {
    const fields = new Fields(next.body);
    const kind = fields.byte();
    if (kind !== 'S') this.forward(await (await this.begin()).send(bytesOf(next)));
    else
      await this.withStatement(fields.text(), (internalName) =>
        message('D', Buffer.from('S'), internalName),
      );
  }

  /** Sends a message about a prepared statement. If there is none, the database answers with its error. */
  private async withStatement(
    name: string,
    build: (internalName: Buffer) => Buffer,
  ): Promise<void> {
    const backend = await this.begin();
    const isNew = !this.state.statements.has(name);
    const internalName = text(this.state.statements.internal(name));
    this.forward(await backend.send(build(internalName)));
    if (isNew) this.state.statements.closed(name);
  }

  private async execute(next: Message): Promise<void> {
    const effects = this.state.statements.ofPortal(new Fields(next.body).text());
    const backend = await this.begin();
    if (effects !== undefined) await this.state.before(effects, backend);
    const mayCopy = effects?.mayCopy ?? false;
    const answers = await backend.send(bytesOf(next), ...(mayCopy ? [COPY_FAIL] : []));
    this.forward(answers, effects);
  }

  private async close(next: Message): Promise<void> {
    const fields = new Fields(next.body);
    const kind = fields.byte();
    if (kind !== 'S') {
      this.forward(await (await this.begin()).send(bytesOf(next)));
      return;
    }
    await this.state.deallocate(await this.begin(), fields.text());
    this.link.send(message('3'));
  }

  private async sync(): Promise<void> {
    this.isSkipping = false;
    try {
      if (this.turn !== undefined) this.forward(await this.turn.backend.sendToEnd(message('S')));
    } finally {
      await this.ready();
    }
  }

  /** Answers ReadyForQuery, after all that has to follow the statements. Then the turn ends, unless a transaction is open. */
  private async ready(): Promise<void> {
    const status = this.turn?.backend.status ?? 'I';
    try {
      if (this.turn !== undefined && status !== 'E') await this.state.settle(this.turn.backend);
      if (status === 'I') await this.endTurn();
    } catch (cause) {
      if (cause instanceof FatalSqlError) throw cause;
      if (!(cause instanceof SqlError)) this.link.failed(cause);
      this.link.send(errorResponse(internal(cause)));
    }
    this.link.send(readyForQuery(status));
    await this.link.flush();
  }

  private async fail(cause: SqlError): Promise<void> {
    // The error is that of the wait for the turn, if there is no turn.
    const answer = this.turn === undefined ? errorResponse(cause) : undefined;
    this.link.send(answer ?? bytesOf(await this.turn!.backend.raise(cause.fields)));
  }

  /** Gets the turn, and puts the state of this connection into the session. */
  private async begin(isLimited = true): Promise<Backend> {
    if (this.turn !== undefined) return this.turn.backend;
    const { waitMs, blockingMs } = this.limits;
    this.waiting = waitForTurn(this.store, isLimited ? waitMs : undefined);
    const turn = await this.waiting.turn.finally(() => {
      this.waiting = undefined;
    });
    this.turn = turn;
    this.overdue = turn.blocks.then(
      () =>
        new Promise((resolve) => {
          if (this.turn === turn) this.timer = setTimeout(resolve, blockingMs, 'overdue');
        }),
    );
    try {
      await turn.backend.session.catchUp();
      await this.state.enter(turn.backend);
    } catch (cause) {
      await this.endTurn();
      throw cause;
    }
    return turn.backend;
  }

  private async endTurn(): Promise<void> {
    const { turn } = this;
    if (turn === undefined) return;
    clearTimeout(this.timer);
    try {
      await this.state.leave(turn.backend);
    } finally {
      this.turn = undefined;
      this.overdue = undefined;
      turn.end();
    }
  }

  /** Passes answers to the client. @returns whether there is no error among them */
  private forward(answers: readonly Message[], effects?: Effects): boolean {
    let position = 0;
    let isGood = true;
    for (const answer of answers) {
      const { type, body } = answer;
      if (type === 'A') this.link.notify(answer);
      else if (type === 'E' || type === 'N') {
        isGood &&= type !== 'E';
        this.link.send(
          message(type, Buffer.from(this.state.statements.shown(body.toString('utf8')))),
        );
      } else if (type === 'C') {
        const tag = effects?.actions.get(position)?.tag;
        this.link.send(tag === undefined ? bytesOf(answer) : message('C', text(tag)));
        position += 1;
      } else if (type !== 'Z') {
        if (type === 'S') this.state.pending.changed(new Fields(body).text().toLowerCase());
        this.link.send(bytesOf(answer));
      }
    }
    if (isGood) for (const channel of effects?.listens ?? []) this.state.listen(channel);
    this.hasFailed ||= !isGood;
    return isGood;
  }

  /** Runs COPY FROM STDIN once without data, for its errors and its format, and then with the data of the client. */
  private async copyIn(effects: Effects, backend: Backend): Promise<void> {
    const sql = query(effects.sql);
    const trial = await backend.sendToEnd(sql, ...noData(effects.copiesIn!), message('c'));
    const failure = trial.find(({ type }) => type === 'E');
    const format = trial.find(({ type }) => type === 'G');
    if (failure !== undefined || format === undefined) {
      this.forward(trial, effects);
      return;
    }
    this.link.send(bytesOf(format));
    await this.link.flush();
    const data = await copyData(() => this.inTime(this.link.next()), this.limits.copyBytes);
    const answers = await backend.sendToEnd(sql, ...data, message('c'));
    this.forward(
      answers.filter(({ type }) => type !== 'G'),
      effects,
    );
  }
}

const sent = (next: Message, sql: string, effects: Effects): Buffer[] => [
  effects.sql === sql ? bytesOf(next) : query(effects.sql),
  // Without data, PostgreSQL must not wait for any. Otherwise it ignores this message.
  ...(effects.mayCopy ? [COPY_FAIL] : []),
];
