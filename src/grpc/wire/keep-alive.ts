/**
 * Whether the two ends of a connection are still there: this one asks after long silence, and lets no client ask all the time. The
 * rules are those of the server that a participant runs on (`KeepAliveManager` and `KeepAliveEnforcer` of grpc-java).
 */
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';
import { constants, type Http2Session, type ServerHttp2Session } from 'node:http2';

/** Of an API's port, in milliseconds. */
export interface KeepAlive {
  /** Of silence, after which the client is asked whether it is there. */
  readonly time: number;
  /** That its answer may take. */
  readonly timeout: number;
  /** Between two questions of the client's while calls are open. */
  readonly permit: number;
}

/** A participant's: of its Ledger API, and of its admin API. */
export const LEDGER_API_KEEP_ALIVE: KeepAlive = { time: 600_000, timeout: 20_000, permit: 10_000 };
export const ADMIN_API_KEEP_ALIVE: KeepAlive = { time: 40_000, timeout: 20_000, permit: 20_000 };

/** While no call is open. */
const PERMIT_WITHOUT_CALLS_MS = 2 * 60 * 60 * 1000;
/** Questions that come too early and are still answered. */
const MAX_STRIKES = 2;

const watched = new WeakMap<Http2Session, Watch>();

export function keepAlive(session: ServerHttp2Session, options: KeepAlive): void {
  watched.set(session, new Watch(session, options));
}

/** Something was sent: whoever asks now may have wondered about it. */
export function noteSent(session: Http2Session | undefined): void {
  if (session !== undefined) watched.get(session)?.reset();
}

/** A call was begun, or has ended. */
export function noteCalls(session: Http2Session | undefined, more: 1 | -1): void {
  if (session !== undefined) watched.get(session)?.count(more);
}

class Watch {
  private strikes = 0;
  private lastPermitted = -Infinity;
  private calls = 0;
  private bytesRead = 0;

  constructor(
    private readonly session: ServerHttp2Session,
    private readonly options: KeepAlive,
  ) {
    // NOTE: Node tells of no question where its listener comes at once.
    setImmediate(() => session.on('ping', () => this.asked()));
    const timer = setInterval(() => this.ask(), options.time).unref();
    session.once('close', () => clearInterval(timer));
  }

  reset(): void {
    this.strikes = 0;
    this.lastPermitted = -Infinity;
  }

  count(more: 1 | -1): void {
    this.calls += more;
  }

  private asked(): void {
    const now = performance.now();
    const least = this.calls > 0 ? this.options.permit : PERMIT_WITHOUT_CALLS_MS;
    if (now - this.lastPermitted >= least) {
      this.lastPermitted = now;
      return;
    }
    this.strikes += 1;
    if (this.strikes <= MAX_STRIKES) return;
    const { session } = this;
    const code = constants.NGHTTP2_ENHANCE_YOUR_CALM;
    session.goaway(code, 0, Buffer.from('too_many_pings'));
    // Once it is told.
    setImmediate(() => session.destroy(undefined, code));
  }

  private ask(): void {
    const { session } = this;
    // One that was just destroyed has no socket any more, and is not closed yet.
    if (session.destroyed) return;
    const { bytesRead } = session.socket;
    const isSilent = bytesRead === this.bytesRead;
    this.bytesRead = bytesRead;
    if (!isSilent) return;
    const timer = setTimeout(() => session.destroy(), this.options.timeout).unref();
    session.ping(() => clearTimeout(timer));
  }
}
