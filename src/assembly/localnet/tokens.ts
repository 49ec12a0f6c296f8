/** Tokens of users, as a LocalNet's clients sign them for themselves: HS256 with a secret that everybody knows (L-AUTH-001). */
import { createHmac } from 'node:crypto';

export const SECRET = 'unsafe';
export const AUDIENCE = 'https://canton.network.global';

/** Without an end, as those of cn-quickstart are (L-AUTH-002). */
export function unsafeToken(user: string, audience = AUDIENCE): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: user, aud: audience })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}
