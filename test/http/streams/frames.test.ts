/**
 * Invalid request frames. Each stream sends one error frame with the participant's text and closes (B-WS-005, B-WS-008). The ledger
 * does not change, and the server continues. `each-field.test.ts` tries unreadable messages on the lists.
 */
import { MAX_BODY_BYTES } from '../../../src/services/limits.js';
import { channels } from '../../../src/spec/index.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';

const api = useLedgerApi();
const position = () => api.canticle.network.journal.position;
const open = (path: string) => new StreamClient(api.canticle.url + path).opened();

/** Resolves once the server has read what was sent before. */
const taken = ({ socket, closed }: StreamClient): Promise<unknown> =>
  Promise.race([
    closed,
    new Promise((resolve) => {
      socket.once('pong', resolve);
      socket.ping();
    }),
  ]);

/** None of them is a message of any stream. */
const UNREADABLE: [string, string][] = [
  ['nothing', ''],
  ['half of something', '{"beginExclusive":'],
  ['no JSON', 'nope'],
  ['JSON and more', '{} x'],
  ['a wrong type', '{"beginExclusive":"seven","activeAtOffset":"seven"}'],
  ['a number that is not whole', '{"beginExclusive":1.5,"activeAtOffset":1.5}'],
  ['a huge number', '{"beginExclusive":1e400,"activeAtOffset":1e400}'],
  ['no object', '[[]]'],
];
/** JSON whose meaning is the stream's to find out. */
const STRANGE = [
  '{}',
  '[]',
  'null',
  '7',
  '"text"',
  '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"unknown":{"a":[1,2,3]}}',
  '{"parties":["\\ud800"],"userId":"\\ud800","filter":{"filtersByParty":{"\\udfff":{"cumulative":[]}}}}',
  `{"parties":["${'x'.repeat(5000)}"]}`,
  '{"beginExclusive":-1,"activeAtOffset":-1}',
  '{"beginExclusive":9007199254740991,"activeAtOffset":9007199254740991}',
];

describe.each(channels().map(({ path }) => [path]))('%s', (path) => {
  it('rejects invalid messages', async () => {
    const before = position();
    for (const [what, frame] of UNREADABLE) {
      const client = await (await open(path)).send(frame);
      const code = await client.closed;
      expect({ what, code, frames: client.frames }).toEqual({
        what,
        code: 1000,
        frames: [expect.objectContaining({ code: 'LEDGER_API_INTERNAL_ERROR' })],
      });
      expect(client.frames[0].cause).toContain('Cannot decode frame: ');
      expect(api.canticle.requests.list().at(-1)).toMatchObject({ validation: { ok: false } });
    }
    expect(position()).toBe(before);
  });

  it('answers an unexpected frame, or waits for another', async () => {
    const before = position();
    for (const frame of STRANGE) {
      const client = await (await open(path)).send(frame);
      // Which of the two it is says the stream; a bug would be in the journal.
      await taken(client);
      await client.close();
    }
    expect(api.canticle.requests.list().filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(position()).toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('accepts one text frame, up to the size limit, in UTF-8', async () => {
    const binary = await open(path);
    binary.socket.send(Buffer.from('{}'));
    expect(await binary.closed).toBe(1000);
    expect(binary.frames).toEqual([
      expect.objectContaining({
        cause: expect.stringContaining(
          'UnsupportedWebSocketFrameException: Unsupported web socket frame: Binary([B@',
        ),
      }),
    ]);
    const large = await open(path);
    large.socket.send('x'.repeat(MAX_BODY_BYTES + 1));
    expect([await large.closed, large.frames]).toEqual([1009, []]);
    const broken = await open(path);
    broken.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect([await broken.closed, broken.frames]).toEqual([1007, []]);
    const twice = await open(path);
    twice.socket.send('nope');
    twice.socket.send('{}');
    await twice.closed;
    expect(twice.frames).toHaveLength(1);
  });
});

it('continues to serve', async () => {
  expect((await api.client.ledger('GET', '/v2/version')).status).toBe(200);
});
