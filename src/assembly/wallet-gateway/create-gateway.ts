/** Creates the Wallet Gateway of an instance. */
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { exchangeOf } from '../../http/in-process/local-request.js';
import type { Site } from '../../http/sites.js';
import { GatewayPlace } from '../../http/wallet-gateway/gateway-place.js';
import type { RequestJournal } from '../../services/request-journal.js';
import { GatewayJournal } from '../../services/calls/gateway-journal.js';
import { signedJwt } from '../../services/authorization/jwt.js';
import {
  SCOPE,
  selfSigned,
  type GatewayStart,
} from '../../services/wallet-gateway/gateway-core.js';
import { UNREACHABLE, type LedgerPort } from '../../services/wallet-gateway/ledger-port.js';
import { GatewayControl } from '../../services/wallet-gateway/gateway-control.js';
import { WalletGateway } from '../../services/wallet-gateway/wallet-gateway.js';
import { simulateSteps, type WordedStep } from '../../services/control/simulation.js';
import type { SimulatedStep } from '../../network/simulation/simulation-types.js';
import type { Releases } from '../../spec/releases/releases.js';
import type { DappWallet } from '../../wallet/dapp-wallet.js';
import { walletOf } from './dapp-wallet-of.js';
import type { WalletGatewayOptions } from './gateway-options.js';

/** The parts of an instance that its gateway uses. */
export interface GatewaySource {
  readonly network: Network;
  readonly requests: RequestJournal;
  readonly releases: Releases;
  /** Of a participant. Requests go there. */
  site(participant: string): Site;
  readonly options: WalletGatewayOptions;
  /** Its wallet, if a scenario may have changed it. */
  readonly world: { readonly dappWallet: DappWallet | undefined };
  /** Of the participant whose parties are wallets. */
  readonly participant: string;
  /** The URL of the participant's Ledger API; undefined without a port. */
  ledgerApi(): string | undefined;
  /** A token for the Ledger API; undefined if this instance cannot sign one. */
  userToken(userId: string, claims: Readonly<Record<string, unknown>>): Promise<string | undefined>;
  /** Whether the Ledger API needs tokens. */
  readonly needsTokens: boolean;
}

/** The gateway, and its transport. */
export interface RunningGateway {
  readonly control: GatewayControl;
  readonly place: GatewayPlace;
  /** 0 for any free one. */
  readonly port: number;
}

const NETWORK_ID = 'canton:localnet';
const ISSUER = 'unsafe-auth';
const AUDIENCE = 'https://canton.network.global';

export function createGateway(source: GatewaySource): RunningGateway {
  const { network, options, world } = source;
  const wallet = world.dappWallet ?? walletOf(network, options);
  const participant = network.participant(source.participant);
  const start = startOf(options, wallet.user.id);
  const gateway = new WalletGateway(portsOf(source, participant), start, wallet);
  return {
    control: new GatewayControl(gateway),
    place: new GatewayPlace(gateway, new GatewayJournal(source.requests, network)),
    port: options.port ?? 0,
  };
}

function startOf(options: WalletGatewayOptions, userId: string): GatewayStart {
  const { network: id = NETWORK_ID, wallets = [] } = options;
  const idp = { id: 'idp-self-signed', type: 'self_signed', issuer: ISSUER } as const;
  const auth = selfSigned(userId, AUDIENCE);
  return {
    userId,
    wallets,
    idps: [idp],
    networks: [
      {
        id,
        name: 'LocalNet',
        description: 'The network of this Canticle',
        identityProviderId: idp.id,
        auth,
        adminAuth: auth,
      },
    ],
  };
}

function portsOf(source: GatewaySource, { name }: Participant) {
  const { network, needsTokens } = source;
  const own: LedgerPort = {
    async send({ method, path, body, token }) {
      const headers: [string, string][] = [['host', 'localhost']];
      if (token !== undefined) headers.push(['authorization', `Bearer ${token}`]);
      if (body !== undefined) headers.push(['content-type', 'application/json']);
      const answer = await source.site(name).dispatcher.answer(
        exchangeOf({
          method,
          target: path,
          root: 'http://localhost',
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      if (answer.delivery?.kind === 'lost') throw new TypeError('fetch failed');
      const text = answer.body === undefined ? '' : Buffer.from(answer.body).toString();
      const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
      return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
    },
  };
  const addresses = (): readonly (string | undefined)[] => [undefined, source.ledgerApi()];
  return {
    network,
    ledgerAt: (url: string | undefined) =>
      addresses().includes(url?.replace(/\/$/, '')) ? own : UNREACHABLE,
    ledgerUrl: (root: string) => source.ledgerApi() ?? root,
    tokenOf: async (userId: string) => {
      const claims = { iss: ISSUER, scope: SCOPE };
      if (needsTokens) return source.userToken(userId, claims);
      const payload = { sub: userId, aud: AUDIENCE, ...claims };
      return signedJwt({ alg: 'HS256', typ: 'JWT' }, payload, 'unsafe');
    },
    simulate: (submission: object): SimulatedStep | undefined => {
      const step = { ...submission, participant: name } as unknown as WordedStep;
      const next = (done: readonly SimulatedStep[]) => (done.length === 0 ? step : undefined);
      return simulateSteps(network, source.releases, next, { trace: false }).steps[0];
    },
    isValid: async (token: string) =>
      (await own.send({ method: 'GET', path: '/v2/authenticated-user', token })).status === 200,
  };
}
