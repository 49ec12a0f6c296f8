/** Server-sent events (the HTML standard, section 9.2), read from a `fetch` answer: jsdom and Node have no `EventSource`. */

/** Characters. A longer event ends the stream. */
export const MAX_EVENT_LENGTH = 1_000_000;

/** One event of the stream. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/**
 * The events of a stream until it ends.
 * @throws RangeError for an event that is longer than {@link MAX_EVENT_LENGTH}
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void> {
  let name = '';
  let data: string[] = [];
  let length = 0;
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield { name: name || 'message', data: data.join('\n') };
      [name, data, length] = ['', [], 0];
      continue;
    }
    length += line.length;
    if (length > MAX_EVENT_LENGTH)
      throw new RangeError(`An event has more than ${MAX_EVENT_LENGTH} characters.`);
    const [field, value] = fieldOf(line);
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
}

/** A line that begins with a colon is a comment, and has the empty field. */
function fieldOf(line: string): readonly [field: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  // An environment with fetch has this class.
  const { TextDecoder } = globalThis;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = parts.pop()!;
      if (rest.length > MAX_EVENT_LENGTH)
        throw new RangeError(`An event has more than ${MAX_EVENT_LENGTH} characters.`);
      yield* parts;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
