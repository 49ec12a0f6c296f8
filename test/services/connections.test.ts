/** Which connections of a server are open: what a server has to end when it closes. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connectionsOf } from '../../src/services/connections.js';

it('contains a connection from its start to its end', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = connectionsOf<Socket>(server);
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  expect([...open]).toEqual([accepted]);
  client.destroy();
  await once(accepted.resume(), 'close');
  expect(open.size).toBe(0);
  server.close();
});
