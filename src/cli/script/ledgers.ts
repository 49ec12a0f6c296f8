/** The ledgers that `canticle script` runs scripts against: Ledger APIs over JSON, over gRPC, and several of them by name. */
import { readFileSync } from 'node:fs';
import { grpcLedger } from '../../assembly/grpc/ledger.js';
import type { Send } from '../../client/requests.js';
import { COMMAND_PATIENCE_MS, HttpSide, type ClientTls } from '../../client/http-side.js';
import type { RemoteSetting } from '../../script/remote/remote-ledger.js';
import { causeOf, CommandFailed } from '../terminal.js';
import type { ScriptFlags } from './command.js';
import { readParticipants, type ApiParameters } from './participant-config.js';

/** The settings of a ledger for scripts, without the settings that all ledgers share. */
export type Reached = Pick<RemoteSetting, 'send' | 'values' | 'userId'>;

export interface Ledgers {
  readonly usual: Reached;
  readonly named: ReadonlyMap<string, Reached>;
  /** Names of participants by party. */
  readonly places: readonly (readonly [string, string])[];
  readonly close: () => void;
}

/** The user id of the real runner, if no token names one. */
const USER = 'daml-script';

/** Undefined if no ledger is named. @throws CommandFailed */
export function ledgersOf(flags: ScriptFlags): Ledgers | undefined {
  const { jsonApi, ledgerHost, ledgerPort, accessTokenFile, participantConfig, userId } = flags;
  const token = accessTokenFile === undefined ? undefined : textOf(accessTokenFile).trim();
  const { tls, maxMessageBytes } = { tls: tlsOf(flags), maxMessageBytes: maxBytesOf(flags) };
  const alone = { named: new Map<string, Reached>(), places: [] };
  if (jsonApi !== undefined) {
    const patience = COMMAND_PATIENCE_MS;
    const { base, send } = new HttpSide(jsonApi, { token, patience });
    const usual = { send: reaching(base, send), ...userOf(userId, token) };
    return { usual, ...alone, close: () => undefined };
  }
  const closing: (() => void)[] = [];
  const reached = (at: ApiParameters): Reached => {
    const { host, port, accessToken = token } = at;
    const ledger = grpcLedger(host, port, { token: accessToken, tls, maxMessageBytes });
    closing.push(() => ledger.close());
    return {
      send: reaching(`${host}:${port}`, ledger.send),
      values: ledger.values,
      ...userOf(at.userId ?? userId, accessToken),
    };
  };
  const close = () => closing.forEach((each) => each());
  if (participantConfig !== undefined) {
    const { usual, named, places } = readParticipants(participantConfig);
    const others = named.map(([name, at]) => [name, reached(at)] as const);
    return { usual: reached(usual), named: new Map(others), places, close };
  }
  if (ledgerHost === undefined && ledgerPort === undefined) return undefined;
  const port = Number(ledgerPort);
  if (ledgerHost === undefined || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandFailed('--ledger-host and --ledger-port require each other: pass both.');
  return { usual: reached({ host: ledgerHost, port }), ...alone, close };
}

/** Without an id, the token names the user. */
function userOf(
  userId: string | undefined,
  token: string | undefined,
): { readonly userId?: string } {
  const id = userId ?? (token === undefined ? USER : '');
  return id === '' ? {} : { userId: id };
}

function maxBytesOf({ maxInboundMessageSize: text }: ScriptFlags): number | undefined {
  if (text === undefined) return undefined;
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes > 0) return bytes;
  throw new CommandFailed(`--max-inbound-message-size must be a number of bytes, not '${text}'.`);
}

function tlsOf({ tls, cacrt, crt, pem }: ScriptFlags): ClientTls | undefined {
  if ((crt === undefined) !== (pem === undefined))
    throw new CommandFailed(
      '--crt and --pem require each other: pass a certificate and its private key.',
    );
  if (tls !== true && cacrt === undefined && crt === undefined) return undefined;
  const pemIn = (file: string | undefined) => (file === undefined ? undefined : textOf(file));
  return { ca: pemIn(cacrt), cert: pemIn(crt), key: pemIn(pem) };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailed(`failed to read '${file}': ${causeOf(error)}`);
  }
}

/** Adds the address to the error of an unreachable ledger. */
function reaching(address: string, send: Send): Send {
  return async (request) => {
    try {
      return await send(request);
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      throw new CommandFailed(`failed to reach ${address}: ${causeOf(error)}`);
    }
  };
}
