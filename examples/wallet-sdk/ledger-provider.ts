/** A custom provider between the SDK and the ledger. This one signs its tokens, and records the requests. */
import { createHmac } from 'node:crypto';
import { LedgerProvider, localNetStaticConfig, SDK } from '@canton-network/wallet-sdk';
import { amounts, ledgerApi, logAdapter, namespaces, newParty, tap } from './wallet.ts';

const userId = localNetStaticConfig.LOCALNET_USER_ID;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const claims = { sub: userId, aud: 'https://canton.network.global' };
const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
const accessToken = `${unsigned}.${createHmac('sha256', 'unsafe').update(unsigned).digest('base64url')}`;
const accessTokenProvider = {
  getAccessToken: async () => accessToken,
  getAuthContext: async () => ({ userId, accessToken }),
};

export default async function ledgerProvider() {
  const resources = new Set<string>();
  const provider = new LedgerProvider({ baseUrl: ledgerApi, accessTokenProvider });
  const send = provider.request.bind(provider);
  provider.request = (request: Parameters<typeof send>[0]) => {
    resources.add(request.params.resource);
    return send(request);
  };
  const { token, amulet } = namespaces;
  const sdk = await SDK.create({
    ledgerProvider: provider,
    logAdapter,
    token,
    amulet,
  });
  const alice = await newParty(sdk, 'provided-alice');
  await tap(sdk, alice, '10000');
  return {
    held: await amounts(sdk, alice),
    prepared: resources.has('/v2/interactive-submission/prepare'),
  };
}
