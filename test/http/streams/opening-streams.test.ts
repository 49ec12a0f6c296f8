/** Until when an answer waits for WebSockets that have not asked for a stream yet (B-WS-026). */
import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { MAX_OPENING_MS, OpeningStreams } from '../../../src/http/streams/opening-streams.js';

const opening = new OpeningStreams();
const turn = () => new Promise(setImmediate);

it('returns no promise if no WebSocket is opening', () => {
  expect(opening.all).toBeUndefined();
});

it.each(['message', 'close'])('resolves one turn after the first %s', async (event) => {
  const socket = new EventEmitter();
  opening.add(socket as WebSocket);
  const all = opening.all!;
  let isOver = false;
  void all.then(() => (isOver = true));
  await turn();
  socket.emit(event);
  await Promise.resolve();
  expect(isOver).toBe(false);
  await turn();
  await turn();
  expect(isOver).toBe(true);
  expect(opening.all).toBeUndefined();
});

it(`resolves after ${MAX_OPENING_MS} ms, and not before`, async () => {
  const start = performance.now();
  opening.add(new EventEmitter() as WebSocket);
  await opening.all;
  // Timers count whole milliseconds, and begin within one.
  expect(performance.now() - start).toBeGreaterThanOrEqual(MAX_OPENING_MS - 2);
  expect(opening.all).toBeUndefined();
});
