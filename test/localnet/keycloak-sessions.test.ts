/** Limits of a realm's sessions, logins and codes. */
import {
  Sessions,
  type LoginRequest,
  type RealmClient,
  type RealmUser,
} from '../../src/http/index.js';

const MINUTE = 60_000;
const MAX_KEPT = 1000;

describe('of a realm', () => {
  const user = {} as RealmUser;
  const request = { client: { id: 'app' } as RealmClient } as LoginRequest;
  let time = 0;
  let sessions: Sessions;
  beforeEach(() => {
    time = 1_000_000;
    sessions = new Sessions('seed', () => time);
  });

  test('a thousand sessions are kept, and with one more the first is forgotten', () => {
    const opened = Array.from({ length: MAX_KEPT }, () => sessions.open(user));
    const isKept = (n: number) => sessions.of({ sid: opened[n]!.id }) !== undefined;
    expect([isKept(0), isKept(1)]).toEqual([true, true]);
    // Reading a session renews it: the third is the oldest.
    sessions.open(user);
    expect([isKept(2), isKept(3), isKept(0)]).toEqual([false, true, true]);
  });

  test('a thousand logins and codes are kept, and with one more the first is forgotten', () => {
    const session = sessions.open(user);
    const begun = Array.from({ length: MAX_KEPT }, () => sessions.begin(request));
    const codes = Array.from({ length: MAX_KEPT }, () => sessions.give(request, session));
    const kept = () => [sessions.begunBy(begun[0]!), sessions.codeOf(codes[0]!)];
    expect(kept()).toEqual([request, { request, session, used: false }]);
    sessions.begin(request);
    sessions.give(request, session);
    expect(kept()).toEqual([undefined, undefined]);
    expect(sessions.begunBy(begun[1]!)).toBe(request);
    expect(sessions.codeOf(codes[1]!)).toBeDefined();
  });

  test.each([
    ['a code', MINUTE, () => sessions.give(request, sessions.open(user)), codeIsKept],
    ['a login', 30 * MINUTE, () => sessions.begin(request), loginIsKept],
    ['a session', 30 * MINUTE, () => sessions.open(user).id, sessionIsKept],
    ['offline access', 30 * 24 * 60 * MINUTE, offline, offlineIsKept],
  ])('%s is kept for %s milliseconds, and no longer', (_, life, make, isKept) => {
    const id = make();
    time = 1_000_000 + life;
    expect(isKept(id)).toBe(false);
    time -= 1;
    expect(isKept(id)).toBe(true);
  });

  function offline(): string {
    const session = sessions.open(user);
    sessions.giveOffline(session);
    return session.id;
  }
  function codeIsKept(id: string): boolean {
    return sessions.codeOf(id) !== undefined;
  }
  function loginIsKept(id: string): boolean {
    return sessions.begunBy(id) !== undefined;
  }
  function sessionIsKept(sid: string): boolean {
    return sessions.of({ sid }) !== undefined;
  }
  function offlineIsKept(sid: string): boolean {
    return sessions.of({ sid, typ: 'Offline' }) !== undefined;
  }
});
