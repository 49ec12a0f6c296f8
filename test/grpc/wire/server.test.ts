/** Calls over connections that a port takes from another port. */
import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { openPort } from '../../../src/grpc/wire/server.js';

const NEVER = 100_000_000;
const HOSTS = ['ledger.localhost'];

it('answers each call of any number of connections once, and no call to another host', async () => {
  const paths: string[] = [];
  const port = await openPort(
    (path, call) => {
      paths.push(path);
      call.end({ code: 0, message: '' });
    },
    {
      ...{ host: '127.0.0.1', port: 0, maxMessageBytes: 100 },
      keepAlive: { time: NEVER, timeout: NEVER, permit: NEVER },
    },
  );
  const other = createServer((socket) => port.accept(socket, HOSTS));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const sessions = [1, 2, 3].map(() => connect(url));
  const ask = async (place: number, path: string, authority: string) => {
    const stream = sessions[place]!.request({
      ...{ ':method': 'POST', ':path': path, ':authority': authority },
      ...{ 'content-type': 'application/grpc', te: 'trailers' },
    });
    const [headers] = (await once(stream.end(), 'response')) as [IncomingHttpHeaders];
    stream.close();
    return headers[':status'];
  };
  const statuses = [
    await ask(0, '/a', 'ledger.localhost'),
    await ask(1, '/b', 'LEDGER.localhost:1234'),
    await ask(2, '/c', 'ledger.localhost'),
    await ask(2, '/d', 'other.localhost'),
  ];
  expect(statuses).toEqual([200, 200, 200, 404]);
  expect(paths).toEqual(['/a', '/b', '/c']);
  sessions.forEach((each) => each.destroy());
  other.close();
  await port.close();
});
