/** The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding. */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { violation } from './errors.js';

export const MECHANISM = 'SCRAM-SHA-256';
/** PostgreSQL's `scram_iterations`. */
const ITERATIONS = 4096;

const hmac = (key: Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const xor = (left: Buffer, right: Buffer): Buffer =>
  Buffer.from(left.map((byte, at) => byte ^ right[at]!));

export class ScramServer {
  private readonly nonce = randomBytes(18).toString('base64');
  private readonly salt = randomBytes(16);
  private clientFirst = '';
  private serverFirst = '';
  private header = '';

  /** @param password without it, each proof is wrong */
  constructor(private readonly password: string | undefined) {}

  /** @param message of the client: `n,,n=user,r=nonce` @returns the server's first message @throws FatalSqlError */
  first(message: string): string {
    const match =
      /^((?:n|y),(?:a=[^,]*)?,)((?:m=[^,]*,)?n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+).*)$/s.exec(message);
    if (match === null) throw violation('malformed SCRAM message');
    [, this.header, this.clientFirst] = match as unknown as [string, string, string];
    const salt = this.salt.toString('base64');
    this.serverFirst = `r=${match[3]}${this.nonce},s=${salt},i=${ITERATIONS}`;
    return this.serverFirst;
  }

  /** @returns the server's final message, or nothing if the password is wrong @throws FatalSqlError */
  final(message: string): string | undefined {
    const match = /^(c=([^,]*),r=([^,]*)(?:,[^,]*=[^,]*)*?),p=([A-Za-z0-9+/=]*)$/s.exec(message);
    if (match === null) throw violation('malformed SCRAM message');
    const [, withoutProof, binding, nonce, proof] = match as unknown as string[];
    const sameHeader = binding === Buffer.from(this.header).toString('base64');
    const [expected] = this.serverFirst.slice('r='.length).split(',');
    if (!sameHeader || nonce !== expected) throw violation('malformed SCRAM message');
    const salted = pbkdf2Sync(this.password ?? '', this.salt, ITERATIONS, 32, 'sha256');
    const signed = `${this.clientFirst},${this.serverFirst},${withoutProof}`;
    const stored = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
    const given = Buffer.from(proof!, 'base64');
    if (given.length !== stored.length) throw violation('malformed SCRAM message');
    const key = xor(given, hmac(stored, signed));
    const same = timingSafeEqual(createHash('sha256').update(key).digest(), stored);
    if (!same || this.password === undefined) return undefined;
    return `v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`;
  }
}
