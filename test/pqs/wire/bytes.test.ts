/** Wrong bytes never stop the port, and large ones have limits. */
import { once } from 'node:events';
import fc from 'fast-check';
import type { Client } from 'pg';
import type { Socket } from 'node:net';
import { fieldsOf, messagesOf } from '../../../src/pqs/wire/messages.js';
import { check } from '../../support/property.js';
import { messagesUntilEnd, refusal, useSqlServer } from './sql-server.js';

const server = useSqlServer();
const streamOf = (client: Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** A message of a client with any content. */
const anyMessage = fc
  .record({
    type: fc.constantFrom(...'QPBDECSHdcfFXpz'),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            ...['\0', 'p', 'select 1', 'begin', 'copy t from stdin', "'", '$$', 'set'],
          ),
          { maxLength: 6 },
        )
        .map((parts) => Buffer.from(parts.join(''))),
    ),
    extra: fc.constantFrom(0, 0, 0, 0, -1, 1),
  })
  .map(({ type, body, extra }) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(Math.max(0, body.length + 4 + extra), 1);
    return Buffer.concat([head, body]);
  });

it('survives any messages of a client, and serves the next one', async () => {
  await check(
    fc.asyncProperty(fc.array(anyMessage, { maxLength: 12 }), async (messages) => {
      const client = await server().client();
      const stream = streamOf(client);
      stream.removeAllListeners('data');
      stream.resume().end(Buffer.concat(messages));
      if (!stream.closed) await once(stream, 'close');
      const next = await server().client();
      expect((await next.query('select 7 as seven')).rows).toEqual([{ seven: 7 }]);
      await next.end();
    }),
    { numRuns: 40 },
  );
  expect(server().failures).toEqual([]);
}, 120_000);

it('survives any bytes at the start of a connection', async () => {
  await check(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
      const socket = await server().socket();
      socket.end(bytes);
      for (const { type } of await messagesUntilEnd(socket).catch(() => []))
        expect(['E', 'N']).toContain(type);
    }),
    { numRuns: 40 },
  );
  expect(server().failures).toEqual([]);
}, 60_000);

/** The error at the start of a connection that sends these bytes. */
async function startError(bytes: Buffer): Promise<Record<string, string>> {
  const socket = await server().socket();
  socket.write(bytes);
  const [failure] = await messagesUntilEnd(socket);
  return fieldsOf(failure!.body);
}

const startup = (code: number, rest = ''): Buffer => {
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + rest.length, 0);
  head.writeInt32BE(code, 4);
  return Buffer.concat([head, Buffer.from(rest)]);
};

it.each([
  ['protocol 2', startup(2 << 16), '0A000'],
  ['no user', startup(3 << 16, '\0'), '28000'],
  ['replication', startup(3 << 16, 'user\0me\0replication\0true\0\0'), '0A000'],
  ['no terminator', startup(3 << 16, 'user\0me\0'), '08P01'],
  ['a start above its limit', startup(3 << 16, 'x'.repeat(9_993)), '08P01'],
])('refuses %s at the start', async (_, bytes, code) => {
  expect(await startError(bytes)).toMatchObject({ S: 'FATAL', C: code });
});

it('answers that it serves no TLS', async () => {
  const socket = await server().socket();
  socket.write(startup(80_877_103));
  expect(String(await once(socket, 'data'))).toBe('N');
});

it('takes a message at the limit of bytes, and none beyond it', async () => {
  const port = await server().withOptions({}, { messageBytes: 1_000 });
  // Of the message are 4 bytes of length and a zero byte.
  const sql = (bytes: number): string => `select '${'x'.repeat(bytes - 14)}'`;
  const client = await server().client({ port });
  expect((await client.query(sql(1_000))).rowCount).toBe(1);
  expect(await refusal(client.query(sql(1_001)))).toMatchObject({
    code: '08P01',
    message: 'invalid message length',
  });
});

it('serves connections up to the limit, and none beyond it', async () => {
  const port = await server().withOptions({}, { connections: 2 });
  const clients = [await server().client({ port }), await server().client({ port })];
  expect(await refusal(server().client({ port }))).toMatchObject({
    code: '53300',
    message: 'sorry, too many clients already',
  });
  await clients[0]!.end();
  expect((await clients[1]!.query('select 1')).rowCount).toBe(1);
});

it('keeps settings up to the limit, and none beyond it', async () => {
  const port = await server().withOptions({}, { settings: 2 });
  const client = await server().client({ port });
  await client.query("set my.a = '1'; set my.b = '2'");
  expect(await refusal(client.query("set my.c = '3'"))).toMatchObject({
    code: '54000',
    message: 'a connection can change 2 settings',
  });
});

it('ends a connection that does not authenticate in time', async () => {
  const port = await server().withOptions({}, { authenticationMs: 30 });
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  const [first] = await messagesUntilEnd(socket);
  const { body } = first!;
  expect(fieldsOf(body)).toMatchObject({
    C: '57014',
    M: 'canceling authentication due to timeout',
  });
});

it('splits the answers of a database', () => {
  expect(messagesOf(Buffer.from('Z\0\0\0\u0005I'))).toEqual([
    { type: 'Z', body: Buffer.from('I') },
  ]);
});
