/** The rights that operations require: every operation with each invalid token, and each right alone (B-AUTH-003 to B-AUTH-024). */
import {
  operation,
  servedOperations,
  type ApiVersion,
  type ServedIds,
} from '../../../src/spec/index.js';
import { startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { enough, rightOf, RIGHTS, samples, type RightName, type Sample } from './operations.js';

const AUDIENCE = 'https://canton.network.global';
let api: LedgerApi;
let alice: string;
let table: Record<ServedIds<'ledger'>, Sample>;
const tokens = {} as Record<
  RightName | 'broken' | 'expired' | 'wrongAudience' | 'wrongKey' | 'unknownUser' | 'deactivated',
  string
>;

async function start(apiVersion: ApiVersion): Promise<void> {
  api = await startLedgerApi({
    apiVersion,
    ...(apiVersion === '3.6' && { trafficAccounts: 'count' }),
    auth: {
      services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe', targetAudience: AUDIENCE }],
    },
  });
  const { canticle } = api;
  alice = canticle.participant.allocateParty('alice');
  const { users } = canticle.network.participants[0]!;
  for (const right of RIGHTS) {
    const id = `user-of-${right}`;
    users.create({ id }, rightOf(right, alice));
    tokens[right] = await canticle.accessToken({ sub: id });
  }
  users.create({ id: 'deactivated', isDeactivated: true });
  tokens.deactivated = await canticle.accessToken({ sub: 'deactivated' });
  tokens.unknownUser = await canticle.accessToken({ sub: 'nobody-knows' });
  tokens.expired = await canticle.accessToken({ sub: 'participant_admin', expiresIn: -1 });
  tokens.wrongAudience = await canticle.accessToken({
    sub: 'participant_admin',
    audience: 'https://elsewhere.example',
  });
  tokens.broken = `${await canticle.accessToken({ sub: 'participant_admin' })}x`;
  tokens.wrongKey = await canticle
    .accessToken({ sub: 'participant_admin' })
    .then((token) => `${token.slice(0, token.lastIndexOf('.'))}.AAAA`);
  table = samples(alice, modelPackage.id);
}
const idsIn = (version: ApiVersion) =>
  servedOperations('ledger', version).map(({ operationId }) => operationId as ServedIds<'ledger'>);
const usual = idsIn('3.5');

async function call(version: ApiVersion, id: ServedIds<'ledger'>, token?: string) {
  const { path, body } = table[id];
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { method } = operation('ledger', id, version);
  const answer = await api.client.send(method.toUpperCase(), path, body, { headers });
  return {
    status: answer.status,
    body: answer.body,
    code: answer.body?.code as string | undefined,
  };
}

const UNAUTHENTICATED = { status: 401, code: 'NA', grpcCodeValue: 16 };
const DENIED = { status: 403, code: 'NA', grpcCodeValue: 7 };
const refusal = ({ status, body }: { status: number; body: any }) => ({
  status,
  code: body?.code,
  grpcCodeValue: body?.grpcCodeValue,
});

describe.each<[ApiVersion, ServedIds<'ledger'>[]]>([
  ['3.5', usual],
  ['3.6', idsIn('3.6').filter((id) => !usual.includes(id))],
])('release %s', (version, ids) => {
  beforeAll(() => start(version));
  afterAll(() => api.client.close());

  describe.each(ids)('%s', (id) => {
    const sample = () => table[id];

    it.each(['none', 'broken', 'expired', 'wrongAudience', 'wrongKey'] as const)(
      'checks a token that is %s (B-AUTH-003, B-AUTH-005, B-AUTH-006)',
      async (kind) => {
        const answer = await call(version, id, kind === 'none' ? undefined : tokens[kind]);
        if (sample().level === 'open') return expect(answer.status).toBe(200);
        expect(refusal(answer)).toEqual(UNAUTHENTICATED);
        // The participant refused it, not the JSON layer (B-ERR-012).
        expect(answer.body.context).toEqual({});
      },
    );

    it.each(['unknownUser', 'deactivated'] as const)(
      'checks the token of a user that is %s (B-AUTH-008, B-AUTH-026, B-ERR-013)',
      async (kind) => {
        const answer = await call(version, id, tokens[kind]);
        expect(refusal(answer)).toEqual(DENIED);
        expect(answer.body.context).toEqual({ ledger_api_error: 'invalid token' });
        expect(answer.body.traceId).toMatch(/^[0-9a-f]{32}$/);
      },
    );

    it.each(RIGHTS)(
      'checks a user with the right %s only (B-AUTH-009, B-AUTH-010, B-AUTH-017 to B-AUTH-024, B-AUTH-029)',
      async (right) => {
        // The result of one call would conflict with the next call.
        table = samples(alice, modelPackage.id);
        const answer = await call(version, id, tokens[right]);
        const isEnough = enough(sample().level).includes(right);
        if (!isEnough) expect([right, refusal(answer)]).toEqual([right, DENIED]);
        else expect([answer.status, answer.code]).toEqual(sample().refusal ?? [200, undefined]);
      },
    );
  });
});
