/** Limits of a realm's sessions, logins and codes. */
import {
  Sessions,
  type LoginRequest,
  type RealmClient,
  type RealmUser,
} from '../../src/http/index.js';

const MINUTE = 60_000;
const MAX_STORED = 1000;

describe('sessions of a realm', () => {
  const user = {} as RealmUser;
  const request = { client: { id: 'app' } as RealmClient } as LoginRequest;
  let time = 0;
  let sessions: Sessions;
  beforeEach(() => {
    time = 1_000_000;
    sessions = new Sessions('seed', () => time);
  });

  test('stores a thousand sessions, and then drops the oldest', () => {
    const opened = Array.from({ length: MAX_STORED }, () => sessions.open(user));
    const isStored = (n: number) => sessions.of({ sid: opened[n]!.id }) !== undefined;
    expect([isStored(0), isStored(1)]).toEqual([true, true]);
    // Reading a session renews it: the third is the oldest.
    sessions.open(user);
    expect([isStored(2), isStored(3), isStored(0)]).toEqual([false, true, true]);
  });

  test('stores a thousand logins and codes, and then drops the oldest', () => {
    const session = sessions.open(user);
    const begun = Array.from({ length: MAX_STORED }, () => sessions.begin(request));
    const codes = Array.from({ length: MAX_STORED }, () => sessions.give(request, session));
    const stored = () => [sessions.begunBy(begun[0]!), sessions.codeOf(codes[0]!)];
    expect(stored()).toEqual([request, { request, session, used: false }]);
    sessions.begin(request);
    sessions.give(request, session);
    expect(stored()).toEqual([undefined, undefined]);
    expect(sessions.begunBy(begun[1]!)).toBe(request);
    expect(sessions.codeOf(codes[1]!)).toBeDefined();
  });

  test.each([
    ['a code', MINUTE, () => sessions.give(request, sessions.open(user)), hasCode],
    ['a login', 30 * MINUTE, () => sessions.begin(request), hasLogin],
    ['a session', 30 * MINUTE, () => sessions.open(user).id, hasSession],
    ['offline access', 30 * 24 * 60 * MINUTE, offline, hasOffline],
  ])('stores %s for %s milliseconds', (_, life, make, isStored) => {
    const id = make();
    time = 1_000_000 + life;
    expect(isStored(id)).toBe(false);
    time -= 1;
    expect(isStored(id)).toBe(true);
  });

  function offline(): string {
    const session = sessions.open(user);
    sessions.giveOffline(session);
    return session.id;
  }
  function hasCode(id: string): boolean {
    return sessions.codeOf(id) !== undefined;
  }
  function hasLogin(id: string): boolean {
    return sessions.begunBy(id) !== undefined;
  }
  function hasSession(sid: string): boolean {
    return sessions.of({ sid }) !== undefined;
  }
  function hasOffline(sid: string): boolean {
    return sessions.of({ sid, typ: 'Offline' }) !== undefined;
  }
});
