/**
 * A validator with the newest Amulet and wallet, and authorization as on a LocalNet. It boots once, and has helpers
 * for its tests.
 */
import { createCanticle, type Canticle, type CanticleOptions } from 'canticle';
import { SignJWT } from 'jose';

export const VALIDATOR_DARS = [
  'splice-amulet-0.1.22.dar',
  'splice-wallet-payments-0.1.22.dar',
  'splice-wallet-0.1.23.dar',
] as const;

const AUDIENCE = 'https://canton.network.global';
/** Real time, which tokens use. */
const NOW = Date.UTC(2026, 5, 1);
const SECRET = new TextEncoder().encode('unsafe');

const tokenOf = (sub: string, secret = SECRET): Promise<string> =>
  new SignJWT({ sub, aud: AUDIENCE }).setProtectedHeader({ alg: 'HS256' }).sign(secret);

export const LOCALNET_AUTH: Pick<CanticleOptions, 'auth' | 'realClock'> = {
  realClock: () => NOW,
  auth: {
    services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe', targetAudience: AUDIENCE }],
  },
};

export interface CallOptions {
  /** The caller; without it, the request has no token. */
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request below a path: `ask('GET /v0/admin/users', { as: 'ledger-api-user' })`. */
export function requestsTo(canticle: Canticle, base: string) {
  return async (call: string, { as, body, headers }: CallOptions = {}): Promise<Answer> => {
    const [method, path] = call.split(' ') as [string, string];
    const answer = await canticle.handle({
      method,
      path: base + path,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${await tokenOf(as)}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = answer.body.toString();
    const isJson = answer.headers['content-type']?.startsWith('application/json');
    return {
      status: answer.status,
      body: isJson ? JSON.parse(text) : text,
      headers: answer.headers as Record<string, string>,
    };
  };
}

/** @param dars of {@link VALIDATOR_DARS} */
export function validatorWorld(dars: readonly Uint8Array[], options: CanticleOptions = {}) {
  const [amulet, ...others] = dars;
  const canticle = createCanticle({
    seed: 1,
    amulet: { dar: amulet!, automaticRounds: false },
    dars: others,
    validator: { partyHint: 'app_user_localnet-localparty-1', walletUser: 'app-user' },
    ...LOCALNET_AUTH,
    ...options,
  });
  const { participant } = canticle;
  return {
    canticle,
    participant,
    users: participant.engine.users,
    validator: canticle.splice.validator.party,
    dso: canticle.splice.dsoParty,
    request: requestsTo(canticle, '/api/validator'),
  };
}
