/** Where the Wallet Gateway is found. This file loads nothing. */

/** The name of its port. */
export const WALLET_GATEWAY = 'wallet-gateway';

/** The port that dApps expect. */
export const WALLET_GATEWAY_PORT = 3030;

/** Whether a path belongs to the gateway, on a port that other services share. */
export const isOfGateway = (target: string): boolean =>
  /^\/(?:api\/v0\/(?:dapp|user)|login|logout|approve|activities|parties|openrpc)(?:[/?]|$)/.test(
    target,
  ) || target.startsWith('/.well-known/wallet-gateway-');
