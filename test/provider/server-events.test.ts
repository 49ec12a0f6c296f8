/** Server-sent events, read from the body of an answer. */
import fc from 'fast-check';
import { check } from '../support/property.js';
import { MAX_EVENT_LENGTH, serverEvents } from '../../src/provider/server-events.js';

function bodyOf(chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      controller.close();
    },
  });
}

async function read(...chunks: readonly (string | Uint8Array)[]) {
  const events: unknown[] = [];
  for await (const event of serverEvents(bodyOf(chunks))) events.push(event);
  return events;
}

it('reads names and data, and ignores comments and other fields', async () => {
  expect(
    await read(': hello\n\nevent: a\nid: 7\ndata: 1\ndata:2\n\ndata\n\nevent: none\n\n'),
  ).toEqual([
    { name: 'a', data: '1\n2' },
    { name: 'message', data: '' },
  ]);
});

it('drops an event that the stream does not end', async () => {
  expect(await read('data: 1\n\ndata: 2\n')).toEqual([{ name: 'message', data: '1' }]);
});

it('reads the same events, however the bytes arrive and the lines end', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((each) => each.replace(/[\r\n]/g, ' '));
  const event = fc.record({ name: text.filter((each) => each !== ''), data: text });
  await check(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      async (events, end, sizes) => {
        const lines = events.flatMap(({ name, data }) => [`event: ${name}`, `data: ${data}`, '']);
        const bytes = Buffer.from(lines.map((line) => line + end).join(''));
        const chunks: Uint8Array[] = [];
        for (let from = 0; from < bytes.length;) {
          const size = sizes.next().value as number;
          chunks.push(bytes.subarray(from, (from += size)));
        }
        // A stream that ends with a lone carriage return does not tell whether the line has ended.
        const last = end === '\r' ? '\n' : '';
        expect(await read(...chunks, last)).toEqual(events);
      },
    ),
    { numRuns: 30 },
  );
});

it.each([
  ['in one line', (length: number) => `data:${'x'.repeat(length - 'data:'.length)}\n\n`],
  [
    'in several lines',
    (length: number) => `event:${'x'.repeat(44)}\ndata:${'x'.repeat(length - 55)}\n\n`,
  ],
])('accepts an event of the maximum length %s, and no longer one', async (_, eventOf) => {
  expect(await read(eventOf(MAX_EVENT_LENGTH))).toHaveLength(1);
  expect(await read('data: 1\n\n', eventOf(MAX_EVENT_LENGTH))).toHaveLength(2);
  await expect(read(eventOf(MAX_EVENT_LENGTH + 1))).rejects.toThrow(
    'An event has more than 1000000 characters.',
  );
});

it('accepts a line of the maximum length whose end comes later', async () => {
  const line = `data:${'x'.repeat(MAX_EVENT_LENGTH - 'data:'.length)}`;
  expect(await read(line, '\n\n')).toHaveLength(1);
});

it('does not wait for the end of a line that is too long', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.alloc(100_000, 'x')),
  });
  await expect(serverEvents(endless).next()).rejects.toThrow('An event has more than');
});
