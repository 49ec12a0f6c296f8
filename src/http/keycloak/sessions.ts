/**
 * The sessions of a realm, the logins in progress, and the codes issued for them. All of it is kept for a while and
 * in bounded number; ids follow from the realm's key and how many came before.
 */
import { createHash } from 'node:crypto';
import type { Claims, RealmClient, RealmUser } from './realm.js';

/** Sessions, begun logins and codes of a realm that are kept, each; past it the oldest is forgotten. */
const MAX_ENTRIES = 1000;

/** Milliseconds of a code, a login in progress and an idle session (realm settings of cn-quickstart). */
const CODE_LIFE = 60_000;
const BEGUN_LIFE = 1_800_000;
const SESSION_LIFE = 1_800_000;
/** Lifetime of a session with offline access: 30 days. */
const OFFLINE_LIFE = 2_592_000_000;

/** The login that a client requests from the browser. */
export interface LoginRequest {
  readonly client: RealmClient;
  readonly redirectUri: string;
  readonly responseMode: 'query' | 'fragment' | 'form_post';
  readonly responseType: 'code' | 'none';
  readonly scope: string;
  readonly state?: string;
  readonly nonce?: string;
  readonly challenge?: { readonly value: string; readonly method: string };
  /** URL of the realm, as the browser knows it. */
  readonly issuer: string;
  readonly loginHint?: string;
}

export interface Session {
  readonly id: string;
  readonly user: RealmUser;
  /** Seconds since 1970. */
  readonly since: number;
  /** Ids of the clients that have tokens of it. */
  readonly clients: Set<string>;
}

export interface Code {
  readonly request: LoginRequest;
  readonly session: Session;
  used: boolean;
}

export class Sessions {
  private readonly sessions: ExpiringMap<Session>;
  private readonly offline: ExpiringMap<Session>;
  private readonly begun: ExpiringMap<LoginRequest>;
  private readonly codes: ExpiringMap<Code>;
  private count = 0;

  /** @param seed of ids @param now milliseconds since 1970 */
  constructor(
    private readonly seed: string,
    private readonly now: () => number,
  ) {
    this.sessions = new ExpiringMap(SESSION_LIFE, now);
    this.offline = new ExpiringMap(OFFLINE_LIFE, now);
    this.begun = new ExpiringMap(BEGUN_LIFE, now);
    this.codes = new ExpiringMap(CODE_LIFE, now);
  }

  open(user: RealmUser): Session {
    const since = Math.floor(this.now() / 1000);
    const session = { id: this.nextId(), user, since, clients: new Set<string>() };
    this.sessions.set(session.id, session);
    return session;
  }

  /** The session that a token or a cookie names. Reading it extends its life. */
  of(claims: Claims | undefined): Session | undefined {
    const store = claims?.['typ'] === 'Offline' ? this.offline : this.sessions;
    const session = store.get(String(claims?.['sid']));
    if (session !== undefined) store.set(session.id, session);
    return session;
  }

  /** Its refresh tokens outlive it. */
  giveOffline(session: Session): void {
    this.offline.set(session.id, session);
  }

  /** @param isOffline its refresh tokens, where these outlive it */
  end({ id }: Session, isOffline = false): void {
    (isOffline ? this.offline : this.sessions).delete(id);
  }

  /** @returns the id of a login that has begun */
  begin(request: LoginRequest): string {
    const id = this.nextId();
    this.begun.set(id, request);
    return id;
  }

  begunBy(id: string): LoginRequest | undefined {
    return this.begun.get(id);
  }

  /** A begun login is over. @returns the code that its client gets tokens for */
  give(request: LoginRequest, session: Session): string {
    const code = `${this.nextId()}.${session.id}.${uuid(request.client.id)}`;
    this.codes.set(code, { request, session, used: false });
    return code;
  }

  codeOf(code: string): Code | undefined {
    return this.codes.get(code);
  }

  private nextId(): string {
    this.count += 1;
    return uuid(`${this.seed}/${this.count}`);
  }
}

/** Values that expire some time after they were last set, in bounded number. */
class ExpiringMap<Value> {
  private readonly rows = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(
    private readonly life: number,
    private readonly now: () => number,
  ) {}

  get(id: string): Value | undefined {
    const row = this.rows.get(id);
    return row !== undefined && row.until > this.now() ? row.value : undefined;
  }

  set(id: string, value: Value): void {
    this.rows.delete(id);
    this.rows.set(id, { value, until: this.now() + this.life });
    const [oldest] = this.rows.keys();
    if (this.rows.size > MAX_ENTRIES) this.rows.delete(oldest!);
  }

  delete(id: string): void {
    this.rows.delete(id);
  }
}

function uuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}
