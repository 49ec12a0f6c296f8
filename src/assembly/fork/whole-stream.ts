/** A WebSocket of the JSON Ledger API that ends by itself, such as that of active contracts: its messages, one after another, to the end. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { RawData } from 'ws';
import { ws } from '../../http/packages.js';
import { ForkFailed } from './fork-failed.js';
import { isError } from '../../daml/errors/realms.js';

/** Milliseconds that nothing may come for. */
const PATIENCE = 60_000;
/** Bytes of one message. */
const MAX_MESSAGE = 256 * 1024 * 1024;
/** As a server closes what it has sent whole. */
const NORMAL = 1000;

/** @param take told each message, and ends it all by throwing @param signal ends it, too, @throws ForkFailed where it breaks off, or never begins */
export function wholeStream(
  target: string,
  token: string | undefined,
  request: unknown,
  take: (message: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { WebSocket } = ws();
  // A participant of release 3.5 sees a token in the first place alone (B-AUTH-002).
  const protocols = [...(token === undefined ? [] : [`jwt.token.${token}`]), 'daml.ws.auth'];
  return new Promise((done, failed) => {
    const socket = new WebSocket(target, protocols, {
      maxPayload: MAX_MESSAGE,
      handshakeTimeout: PATIENCE,
    });
    let waiting: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(waiting);
      signal.removeEventListener('abort', stop);
      socket.removeAllListeners();
      // What it still has to say of its end concerns nobody.
      socket.on('error', () => undefined);
      socket.terminate();
      settle();
    };
    const fail = (why: string): void =>
      end(() => failed(new ForkFailed(`${target} ${why}.`, undefined)));
    const wait = (): void => {
      clearTimeout(waiting);
      waiting = setTimeout(() => fail(`said nothing for ${PATIENCE / 1000} seconds`), PATIENCE);
    };
    const stop = (): void => end(() => failed(signal.reason as Error));
    signal.addEventListener('abort', stop, { once: true });
    wait();
    socket.on('open', () => socket.send(JSON.stringify(request)));
    socket.on('message', (data: RawData) => {
      wait();
      try {
        take(JSON.parse((data as Buffer).toString('utf8')));
      } catch (error) {
        end(() =>
          failed(
            isError(error, 'SyntaxError')
              ? new ForkFailed(`${target} sent what is no JSON.`)
              : (error as Error),
          ),
        );
      }
    });
    socket.on('error', (error) => fail(`cannot be reached: ${error.message}`));
    socket.on('close', (code) =>
      code === NORMAL ? end(done) : fail(`broke off before its end (${code})`),
    );
  });
}
