/**
 * A realm of an issuer as cn-quickstart has them in Keycloak: its clients, its users, its key, and the tokens that
 * it gives. The subject of a token is an id, which may differ from the login name (L-AUTH-006).
 */
import {
  createPrivateKey,
  createPublicKey,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { signedJwt, type JSONWebKeySet } from '../../services/authorization/jwt.js';
import { Journal, JournaledMap } from '../../network/journal/journal.js';
import { rsaKey } from './rsa-key.js';
import { Sessions, type Session } from './sessions.js';

export interface RealmOptions {
  readonly name: string;
  /** The audience of tokens, in addition to the realm's own account. */
  readonly audience: string;
  readonly clients: readonly RealmClient[];
  readonly users: readonly RealmUser[];
}

export interface RealmClient {
  readonly id: string;
  /** Only confidential clients have a secret. */
  readonly secret?: string;
  /** The user that it authenticates as with only its secret. */
  readonly serviceAccount?: string;
  /** Whether it may log users in by their passwords. */
  readonly takesPasswords?: boolean;
  /**
   * The URIs that a browser may return to; a star at the end matches every URI with that prefix. Absent if the
   * client has no browser login.
   */
  readonly redirectUris?: readonly string[];
}

export interface RealmUser {
  readonly id: string;
  readonly name: string;
  /** Absent for one who cannot log in by one. */
  readonly password?: string | undefined;
  readonly email?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Whether the password is good only to choose another one. */
  readonly isIncomplete?: boolean | undefined;
}

/** The users of a realm in addition to its first ones, by their ids; false for deleted first users. */
export type StoredUsers = Pick<
  JournaledMap<string, RealmUser | false>,
  'get' | 'set' | 'sortedKeys'
>;

/** A user's login, and the client it used. */
export interface Login {
  readonly client: RealmClient;
  readonly subject: string;
  readonly name: string;
  readonly isService: boolean;
  /** Absent for a service account. */
  readonly session?: Session;
  /** The nonce of the browser's request. */
  readonly nonce?: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export class Realm {
  readonly keys: JSONWebKeySet;
  readonly sessions: Sessions;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly kid: string;
  private stored: StoredUsers = new JournaledMap(new Journal(), undefined);

  /** @param now milliseconds since 1970, real time */
  constructor(
    readonly options: RealmOptions,
    seed: number,
    readonly now: () => number,
  ) {
    const { publicKey, privateKey } = rsaKey(`realm/${options.name}/${seed}`);
    this.keys = { keys: [publicKey] };
    this.sessions = new Sessions(`${publicKey.kid}/${options.name}`, now);
    this.kid = publicKey.kid!;
    this.privateKey = createPrivateKey({ key: privateKey as JsonWebKey, format: 'jwk' });
    this.publicKey = createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' });
  }

  /** The key of its tokens, as on the realm's own page: base64 of its DER. */
  get publicKeyText(): string {
    return this.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  }

  client(id: string): RealmClient | undefined {
    return this.options.clients.find((each) => each.id === id);
  }

  /** Has users that are made and removed from now on go with a revert. */
  storeUsersIn(stored: StoredUsers): void {
    this.stored = stored;
  }

  /** Its first users in their order, then those that were made, by their ids. */
  users(): readonly RealmUser[] {
    const { stored, options } = this;
    const isFirst = (id: string) => options.users.some((each) => each.id === id);
    const made = stored.sortedKeys().filter((id) => !isFirst(id));
    return [
      ...options.users.map((each) => stored.get(each.id) ?? each),
      ...made.map((id) => stored.get(id)!),
    ].filter((each): each is RealmUser => each !== false);
  }

  /** Creates or replaces the user. */
  put(user: RealmUser): void {
    this.stored.set(user.id, user);
  }

  remove({ id }: RealmUser): void {
    this.stored.set(id, false);
  }

  user(name: string): RealmUser | undefined {
    return this.users().find((each) => each.name === name.toLowerCase());
  }

  /** The id of a user, or of a client's service account, by its name; an id is returned unchanged. */
  subjectOf(name: string): string {
    return this.user(name)?.id ?? this.client(name)?.serviceAccount ?? name;
  }

  /** A token that does not expire, for any user, for tests: it needs no login. */
  tokenOf(name: string, more: Claims = {}): string {
    const { audience } = this.options;
    const claims = { sub: this.subjectOf(name), aud: [audience, 'account'], typ: 'Bearer' };
    return this.signed({ ...claims, ...more });
  }

  signed(claims: Claims): string {
    return signedJwt({ alg: 'RS256', typ: 'JWT', kid: this.kid }, claims, this.privateKey);
  }

  /** The claims of a token of this realm, unless it has expired. */
  verified(token: string): Claims | undefined {
    const claims = this.signedBy(token);
    const exp = claims?.['exp'];
    return typeof exp === 'number' && exp * 1000 <= this.now() ? undefined : claims;
  }

  /** The same without the check of time. */
  signedBy(token: string): Claims | undefined {
    const [head = '', payload = '', signature = ''] = token.split('.');
    const text = Buffer.from(`${head}.${payload}`);
    if (!verify('sha256', text, this.publicKey, Buffer.from(signature, 'base64url')))
      return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  }
}
