/** The data of COPY FROM STDIN. */
import { error, violation } from './errors.js';
import { bytesOf, Fields, message, type Message } from './messages.js';

/** The signature, no flags, no extension, and the end. */
const EMPTY_BINARY = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\xff\xff', 'latin1');

/** The messages of a copy without rows. */
export const noData = (format: 'text' | 'binary'): Buffer[] =>
  format === 'binary' ? [message('d', EMPTY_BINARY)] : [];

/**
 * The messages with the data, up to the client's end of the copy.
 * @throws SqlError if the client cancels the copy, or sends more than `maxBytes`
 */
export async function copyData(
  read: () => Promise<Message | undefined>,
  maxBytes: number,
): Promise<Buffer[]> {
  const data: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const next = await read();
    if (next === undefined) throw violation('unexpected EOF on client connection');
    const { type, body } = next;
    if (type === 'c') break;
    if (type === 'f') throw error('57014', `COPY from stdin failed: ${new Fields(body).text()}`);
    if (!'dHS'.includes(type))
      throw violation(`unexpected message type ${type.charCodeAt(0)} during COPY from stdin`);
    bytes += type === 'd' ? body.length : 0;
    if (type === 'd' && bytes <= maxBytes) data.push(bytesOf(next));
  }
  if (bytes > maxBytes) throw error('54000', `COPY can have ${maxBytes} bytes`);
  return data;
}
