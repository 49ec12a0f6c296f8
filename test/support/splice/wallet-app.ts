/**
 * A validator whose users have wallets, with Splice's newest code. Tests send the requests of a wallet's pages as
 * either user.
 */
import { createCanticle, type Canticle } from 'canticle';
import { routerOf } from '../../../src/http/index.js';
import { expectValid } from '../validate.js';

export const WALLET_APP_DARS = [
  'splice-amulet-0.1.22.dar',
  'splice-wallet-0.1.23.dar',
  'splice-wallet-payments-0.1.22.dar',
  'splice-token-test-trading-app-1.0.2.dar',
] as const;

const INSTALL = '#splice-wallet:Splice.Wallet.Install:WalletAppInstall';
const RIGHT = '#splice-amulet:Splice.Amulet:ValidatorRight';

export interface Answer {
  readonly status: number;
  readonly body: any;
}

const router = routerOf();

/** The requests to a user's wallet; the client checks each answer against its document. */
export class WalletUser {
  constructor(
    private readonly canticle: Canticle,
    readonly name: string,
    readonly party: string,
    /** The name of the validator's participant; the first one by default. */
    private readonly at?: string,
  ) {}

  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const claims = Buffer.from(JSON.stringify({ sub: this.name })).toString('base64url');
    const headers = { authorization: `Bearer e30.${claims}.` };
    const whole = `/api/validator${path}`;
    const place = this.at === undefined ? '' : `/participants/${this.at}`;
    const answer = await this.canticle.handle({ method, path: place + whole, headers, body });
    const result = {
      status: answer.status,
      body: answer.body.length === 0 ? undefined : answer.json(),
    };
    const match = router.match(method, whole);
    if (match.kind !== 'operation') throw new Error(`There is no operation ${method} ${path}.`);
    const { operationId, responses, api } = match.operation;
    if (String(result.status) in responses)
      await expectValid(operationId, result.status, result.body, api);
    return result;
  }

  /** The body of a successful answer. */
  async get(path: string): Promise<any> {
    return this.expectOk('GET', path);
  }

  async post(path: string, body?: unknown): Promise<any> {
    return this.expectOk('POST', path, body);
  }

  private async expectOk(method: string, path: string, body?: unknown): Promise<any> {
    const result = await this.request(method, path, body);
    if (result.status !== 200)
      throw new Error(`${method} ${path}: ${result.status} ${JSON.stringify(result.body)}`);
    return result.body;
  }

  async balance(): Promise<string> {
    return (await this.get('/v0/wallet/balance')).effective_unlocked_qty;
  }
}

/** Booted once for all suites that share their modules. */
let booted: ReturnType<typeof bootWalletApp> | undefined;

/** A separate ledger, for a test that cannot revert it. */
export function bootWalletApp([amulet, ...others]: readonly Uint8Array[]) {
  const canticle = createCanticle({
    seed: 1,
    amulet: { dar: amulet!, automaticRounds: false },
    dars: others,
  });
  const { participant } = canticle;
  const dso = canticle.amulet.admin;
  const validator = canticle.splice.validator.party;
  const user = (name: string, party: string): WalletUser => {
    const actAs = [validator, party];
    const install = {
      dsoParty: dso,
      validatorParty: validator,
      endUserName: name,
      endUserParty: party,
    };
    participant.create(INSTALL, install, { actAs });
    participant.create(RIGHT, { dso, user: party, validator }, { actAs });
    return new WalletUser(canticle, name, party);
  };
  const [alice, bob] = ['alice', 'bob'].map((name) =>
    user(name, participant.allocateParty(name)),
  ) as [WalletUser, WalletUser];
  const operator = user('operator', validator);
  const { automation } = canticle.splice;
  return { canticle, participant, dso, alice, bob, operator, automation };
}

/** Each test starts with the same ledger. */
export function walletApp(dars: readonly Uint8Array[]) {
  const world = (booted ??= bootWalletApp(dars));
  const { canticle } = world;
  let before: string;
  beforeEach(() => {
    before = canticle.snapshot();
  });
  afterEach(() => canticle.revert(before));
  return world;
}
