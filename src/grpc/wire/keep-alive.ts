/**
 * Keep-alive: the server pings a silent client, and ends the connection of a client that pings too often. The rules
 * are those of a participant's server (`KeepAliveManager` and `KeepAliveEnforcer` of grpc-java).
 */
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';
import { constants, type Http2Session, type ServerHttp2Session } from 'node:http2';

/** The times of a port, in milliseconds. */
export interface KeepAlive {
  /** Silence after which the server pings the client. */
  readonly time: number;
  /** The time limit of the client's answer. */
  readonly timeout: number;
  /** The least time between two pings of the client while calls are open. */
  readonly permit: number;
}

/** The times of a participant's Ledger API and admin API. */
export const LEDGER_API_KEEP_ALIVE: KeepAlive = { time: 600_000, timeout: 20_000, permit: 10_000 };
export const ADMIN_API_KEEP_ALIVE: KeepAlive = { time: 40_000, timeout: 20_000, permit: 20_000 };

/** While no call is open. */
const PERMIT_WITHOUT_CALLS_MS = 2 * 60 * 60 * 1000;
/** The number of early pings that the server tolerates. */
const MAX_STRIKES = 2;

const watched = new WeakMap<Http2Session, Watch>();

export function keepAlive(session: ServerHttp2Session, options: KeepAlive): void {
  watched.set(session, new Watch(session, options));
}

/** The server sent data, so the next ping of the client is not too early. */
export function noteSent(session: Http2Session | undefined): void {
  if (session !== undefined) watched.get(session)?.reset();
}

/** A call began or ended. */
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
    // NOTE: Node emits no `ping` event for a listener that is added at once.
    setImmediate(() => session.on('ping', () => this.onPing()));
    const timer = setInterval(() => this.sendPing(), options.time).unref();
    session.once('close', () => clearInterval(timer));
  }

  reset(): void {
    this.strikes = 0;
    this.lastPermitted = -Infinity;
  }

  count(more: 1 | -1): void {
    this.calls += more;
  }

  private onPing(): void {
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
    // So that the session is destroyed only once.
    setImmediate(() => session.destroy(undefined, code));
  }

  private sendPing(): void {
    const { session } = this;
    // A session that was just destroyed has no socket, and is not closed yet.
    if (session.destroyed) return;
    const { bytesRead } = session.socket;
    const isSilent = bytesRead === this.bytesRead;
    this.bytesRead = bytesRead;
    if (!isSilent) return;
    const timer = setTimeout(() => session.destroy(), this.options.timeout).unref();
    session.ping(() => clearTimeout(timer));
  }
}
