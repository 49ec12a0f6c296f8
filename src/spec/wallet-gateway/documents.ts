/** The OpenRPC documents of the Wallet Gateway. */
import { DAPP_API, REMOTE_DAPP_API } from './dapp-api.js';
import type { RpcApi } from './method.js';
import { USER_API } from './user-api.js';

/** The served documents, by name, as in the folder of the official ones. */
export const OPENRPC_DOCUMENTS = {
  'openrpc-dapp-api.json': DAPP_API,
  'openrpc-dapp-remote-api.json': REMOTE_DAPP_API,
  'openrpc-user-api.json': USER_API,
} as const satisfies Readonly<Record<string, RpcApi>>;

export function openRpcDocument({ title, version, methods, schemas }: RpcApi): object {
  return {
    openrpc: '1.2.6',
    info: { title, version },
    methods: Object.entries(methods).map(([name, { description, params, result }]) => ({
      name,
      description,
      params: params === undefined ? [] : [{ name: 'params', schema: params }],
      result: { name: 'result', schema: result },
    })),
    components: { schemas },
  };
}
