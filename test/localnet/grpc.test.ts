/**
 * gRPC of a LocalNet: the Ledger API and the admin API of each participant on separate ports, and the Ledger API at
 * `grpc-ledger-api.localhost` behind the port of its hosts, at which HTTP/1.1 is spoken too (L-PORT-001, L-HOST-004, L-HOST-008).
 */
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { startLocalnet, type Localnet } from 'canticle';
import { GrpcClient } from '../support/grpc/client.js';
import { send } from './send.js';

let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet({ seed: 1, spliceDars: false, grpc: true });
});
afterAll(() => localnet.close());

const GET_ID = 'com.digitalasset.canton.topology.admin.v30.IdentityInitializationService/GetId';
const HOST = 'grpc-ledger-api.localhost';
const addressOf = (url: string) => new URL(url).host;

it('serves the admin API of each participant', async () => {
  for (const node of localnet.nodes) {
    const admin = await GrpcClient.connect(node.grpcAdmin!);
    const { uniqueIdentifier } = await admin.call(GET_ID);
    admin.close();
    expect(uniqueIdentifier).toBe(node.participant.id);
  }
  expect(localnet.environment()).toMatchObject({
    CANTON_LOCALNET_SV_ADMIN_GRPC_URL: `http://${localnet.sv.grpcAdmin}`,
    CANTON_LOCALNET_APP_USER_GRPC_URL: `http://${localnet.appUser.grpc}`,
  });
});

it.each(['app-user', 'app-provider'])(
  'serves the Ledger API of %s over its host name',
  async (name) => {
    const node = localnet.node(name);
    const client = await GrpcClient.connect(addressOf(node.ui), 'v1', {
      authority: `${HOST}:2000`,
    });
    const token = node.token();
    const { participantId } = await client.call(
      'admin.PartyManagementService/GetParticipantId',
      {},
      { token },
    );
    expect(participantId).toBe(node.participant.id);
    await expect(client.call('StateService/GetLedgerEnd')).rejects.toMatchObject({ code: 16 });
    client.close();
  },
);

it.each([
  ['app-user', 'wallet.localhost'],
  ['app-user', 'localhost'],
  ['sv', HOST],
])('does not serve the Ledger API at the port of %s over %s', async (name, host) => {
  const { ui } = localnet.node(name);
  await expect(GrpcClient.connect(addressOf(ui), 'v1', { authority: host })).rejects.toBeDefined();
});

it('serves HTTP/1.1 and HTTP/2 on one port, for slow clients too, and closes idle connections', async () => {
  const port = Number(new URL(localnet.appUser.ui).port);
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  for (const part of [
    'P',
    'RO',
    'PFIND / HTTP/1.1\r\nHost: nobody',
    '\r\nConnection: close\r\n\r\n',
  ]) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await ended;
  expect(received).toMatch(/^HTTP\/1\.1 501 /);
  const silent = connect(port, '127.0.0.1');
  await new Promise((resolve) => silent.once('connect', resolve));
  const gone = new Promise((resolve) => silent.once('close', resolve));
  silent.end();
  await gone;
  expect((await send(port, HOST, '/v2/version')).status).toBe(502);
});

it('closes open connections when it closes, also on a shared port', async () => {
  const other = await startLocalnet({ seed: 1, spliceDars: false, grpc: true });
  const port = Number(new URL(other.appUser.ui).port);
  const idle = connect(port, '127.0.0.1');
  idle.write('GET / HTTP/1.1\r\nHost: nobody\r\n\r\n');
  // Answered, and kept for another request.
  await new Promise((resolve) => idle.once('data', resolve));
  const ended = new Promise((resolve) => idle.once('close', resolve));
  await other.close();
  await ended;
});

/** The bytes of a connection to the hosts of app-user, until it ends. */
const answerTo = (text: string, port: number, end: (socket: Socket) => void) =>
  new Promise<string>((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text);
      end(socket);
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received));
  });
const VERSION = 'GET /v2/version HTTP/1.1\r\nHost: json-ledger-api.localhost\r\n\r\n';

it('answers a client that has closed its half of the connection', async () => {
  const slow = await startLocalnet({ seed: 1, spliceDars: false });
  slow.app.use((_, __, next) => void setTimeout(next, 50));
  const port = Number(new URL(slow.appUser.ui).port);
  expect(await answerTo(VERSION, port, (socket) => socket.end())).toMatch(/^HTTP\/1\.1 200 /);
  await slow.close();
});

it('an HTTP/2 connection stays open longer than an idle HTTP/1.1 connection', async () => {
  const other = await startLocalnet({ seed: 1, spliceDars: false, grpc: true, idleTimeout: 150 });
  const session = connectHttp2(other.appUser.ui);
  await new Promise((resolve) => session.once('remoteSettings', resolve));
  const answer = await answerTo(VERSION, Number(new URL(other.appUser.ui).port), () => undefined);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(session.closed || session.destroyed).toBe(false);
  session.destroy();
  await other.close();
});

it('idle connections stay open without an idle timeout', async () => {
  const other = await startLocalnet({ seed: 1, spliceDars: false, idleTimeout: 0 });
  let isOpen = true;
  const answer = answerTo(VERSION, Number(new URL(other.appUser.ui).port), (socket) => {
    socket.once('close', () => (isOpen = false));
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isOpen).toBe(true);
  await other.close();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});
