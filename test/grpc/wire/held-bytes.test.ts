/** The limit of bytes that the calls of one connection hold. */
import { connect, type ClientHttp2Session } from 'node:http2';
import { HeldBytes } from '../../../src/grpc/wire/held-bytes.js';

const MOST = 256 * 1024 * 1024;

const sessions: ClientHttp2Session[] = [];
/** A connection to a port that no one serves. */
const session = (): ClientHttp2Session => {
  const opened = connect('http://127.0.0.1:1');
  opened.on('error', () => undefined);
  sessions.push(opened);
  return opened;
};
afterAll(() => sessions.forEach((each) => each.destroy()));

const refused = (held: HeldBytes, bytes: number): boolean => {
  try {
    held.add(bytes);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ name: 'GrpcError', code: 8 });
    return true;
  }
};

it.each([true, false])('a call holds 256 MiB and no more, with a connection: %s', (isConnected) => {
  const calls = () => new HeldBytes(isConnected ? session() : undefined);
  expect(refused(calls(), MOST)).toBe(false);
  expect(refused(calls(), MOST + 1)).toBe(true);
});

it('the calls of one connection share the limit, and those of another do not', () => {
  const [one, other] = [session(), session()];
  const [first, second, elsewhere] = [one, one, other].map((each) => new HeldBytes(each));
  first!.add(MOST - 1);
  expect([refused(second!, 1), refused(second!, 1), refused(elsewhere!, MOST)]).toEqual([
    false,
    true,
    false,
  ]);
});

it('a call that releases its bytes leaves those of the other calls', () => {
  const connection = session();
  const [first, second] = [connection, connection].map((each) => new HeldBytes(each));
  first!.add(MOST - 5);
  second!.add(5);
  first!.release();
  first!.release();
  expect([refused(second!, MOST - 5), refused(second!, 1)]).toEqual([false, true]);
});

it('a call can give back bytes while the connection holds too much', () => {
  const [first, second] = [session()].flatMap((each) => [new HeldBytes(each), new HeldBytes(each)]);
  expect(refused(first!, MOST + 4)).toBe(true);
  first!.add(0);
  first!.add(-1);
  first!.add(-4);
  expect([refused(second!, 1), refused(second!, 1)]).toEqual([false, true]);
});
