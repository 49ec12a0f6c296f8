/** The start of a connection: encryption, cancel requests, parameters, password. */
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { secured, type TlsOptions } from '../../services/tls.js';
import { error, fatal, violation } from './errors.js';
import type { Inbox } from './inbox.js';
import { Fields, int32, message, text } from './messages.js';
import { MECHANISM, ScramServer } from './scram.js';

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const VERSION = 3;

export interface StartupOptions {
  /** Passwords by user. */
  readonly users: ReadonlyMap<string, string>;
  readonly tls?: TlsOptions | undefined;
  /** Handles a cancel request. */
  cancel(processId: number, secret: number): void;
}

/** A client whose password was right. */
export interface Client {
  readonly socket: Socket;
  readonly user: string;
  readonly database: string;
  /** Settings of the start, by name. */
  readonly settings: ReadonlyMap<string, string>;
}

/** @returns nothing if the connection ended or was a cancel request @throws SqlError */
export async function startUp(
  given: Socket,
  inbox: Inbox,
  options: StartupOptions,
): Promise<Client | undefined> {
  let socket = given;
  for (;;) {
    const body = await inbox.nextUntyped();
    if (body === undefined) return undefined;
    const fields = new Fields(body);
    const code = fields.int32();
    if (code === CANCEL_REQUEST) {
      options.cancel(fields.int32(), fields.int32());
      return undefined;
    }
    if (code === SSL_REQUEST && options.tls !== undefined && socket === given)
      socket = encrypted(socket, inbox, options.tls);
    else if (code === SSL_REQUEST || code === GSS_REQUEST) socket.write('N');
    else return authenticated(socket, inbox, code, fields, options);
  }
}

function encrypted(socket: Socket, inbox: Inbox, tls: TlsOptions): Socket {
  if (inbox.pending > 0) throw violation('received unencrypted data after SSL request');
  socket.write('S');
  const {
    requestCert = false,
    rejectUnauthorized = false,
    ...context
  } = {
    ...secured(tls),
  } as ReturnType<typeof secured> & { requestCert?: boolean; rejectUnauthorized?: boolean };
  const wrapped = new TLSSocket(socket, {
    isServer: true,
    secureContext: createSecureContext(context),
    ...{ requestCert, rejectUnauthorized },
  });
  wrapped.on('error', () => socket.destroy());
  inbox.replace(wrapped);
  return wrapped;
}

async function authenticated(
  socket: Socket,
  inbox: Inbox,
  code: number,
  fields: Fields,
  { users }: StartupOptions,
): Promise<Client | undefined> {
  const [major, minor] = [code >>> 16, code & 0xffff];
  if (major !== VERSION)
    throw fatal(
      '0A000',
      `unsupported frontend protocol ${major}.${minor}: server supports 3.0 to 3.0`,
    );
  const parameters = parametersOf(fields);
  const extensions = [...parameters.keys()].filter((name) => name.startsWith('_pq_.'));
  if (minor > 0 || extensions.length > 0)
    socket.write(message('v', int32(0), int32(extensions.length), ...extensions.map(text)));
  const user = parameters.get('user') ?? '';
  if (user === '') throw fatal('28000', 'no PostgreSQL user name specified in startup packet');
  if (!/^(?:false|off|no|0)?$/i.test(parameters.get('replication') ?? ''))
    throw fatal('0A000', 'replication connections are not supported');
  if (!(await hasPassword(socket, inbox, users.get(user)))) {
    if (inbox.isOver) return undefined;
    throw fatal('28P01', `password authentication failed for user "${user}"`);
  }
  socket.write(message('R', int32(0)));
  const database = parameters.get('database') || user;
  return { socket, user, database, settings: settingsOf(parameters) };
}

function parametersOf(fields: Fields): Map<string, string> {
  const parameters = new Map<string, string>();
  for (;;) {
    const name = fields.text();
    if (name === '') break;
    parameters.set(name, fields.text());
  }
  if (fields.rest().length > 0)
    throw violation('invalid startup packet layout: expected terminator as last byte');
  return parameters;
}

/** Whether the client knows the password. An unknown user looks the same as a wrong password. */
async function hasPassword(
  socket: Socket,
  inbox: Inbox,
  password: string | undefined,
): Promise<boolean> {
  socket.write(message('R', int32(10), text(MECHANISM), Buffer.alloc(1)));
  const scram = new ScramServer(password);
  const start = await response(inbox);
  if (start === undefined) return false;
  const first = new Fields(start);
  if (first.text() !== MECHANISM)
    throw violation('client selected an invalid SASL authentication mechanism');
  const length = first.int32();
  const data = first.rest();
  if (length !== data.length) throw violation('malformed SCRAM message');
  socket.write(message('R', int32(11), Buffer.from(scram.first(data.toString('utf8')))));
  const proof = await response(inbox);
  if (proof === undefined) return false;
  const final = scram.final(proof.toString('utf8'));
  if (final === undefined) return false;
  socket.write(message('R', int32(12), Buffer.from(final)));
  return true;
}

async function response(inbox: Inbox): Promise<Buffer | undefined> {
  const next = await inbox.next();
  if (next !== undefined && next.type !== 'p')
    throw violation(`expected SASL response, got message type ${next.type.charCodeAt(0)}`);
  return next?.body;
}

const NO_SETTINGS = new Set(['user', 'database', 'options', 'replication']);

function settingsOf(parameters: ReadonlyMap<string, string>): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [name, value] of optionsOf(parameters.get('options') ?? ''))
    settings.set(name.toLowerCase(), value);
  for (const [name, value] of parameters)
    if (!NO_SETTINGS.has(name) && !name.startsWith('_pq_.'))
      settings.set(name.toLowerCase(), value);
  return settings;
}

/** The settings in command-line options: `-c name=value`, `-cname=value` and `--name=value`. A backslash keeps a space. */
function optionsOf(options: string): [string, string][] {
  const words = options.match(/(?:\\.|[^\s\\])+/gs)?.map((word) => word.replace(/\\(.)/gs, '$1'));
  const found: [string, string][] = [];
  const rest = words ?? [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const setting = word === '-c' ? rest.shift() : /^(?:-c|--)(.*)$/s.exec(word)?.[1];
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(setting ?? '') ?? [];
    if (name === undefined || value === undefined)
      throw error('42601', `invalid command-line argument for server process: ${word}`);
    found.push([name.replaceAll('-', '_'), value]);
  }
  return found;
}
