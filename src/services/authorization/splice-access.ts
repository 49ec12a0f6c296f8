/**
 * The callers that Splice's apps require, by operation (V-GEN-002, B-027): the classes, each with the realm in the
 * answer to a caller without a valid token. Scan, its registry, health and documents are open.
 */
import type { Operation } from '../../spec/operations.js';

export type AccessClass =
  /** A valid token, of a user of the participant or not. */
  | 'any token'
  /** A user with a wallet of this validator, who may act as its party. */
  | 'wallet user'
  /** The validator's own user, and an administrator of its participant. */
  | 'operator'
  /** Users that may act as the SV's party. */
  | 'sv operator'
  /** The same, and an administrator of its participant. */
  | 'sv admin';

export interface Access {
  readonly class: AccessClass;
  /** The realm in the header `WWW-Authenticate`. */
  readonly realm: string;
}

const PROXY: Access = { class: 'any token', realm: 'splice scan proxy realm' };
const REGISTERING: Access = { class: 'any token', realm: 'splice validator realm' };
const OPERATOR: Access = { class: 'operator', realm: 'splice validator operator realm' };
const WALLET: Access = { class: 'wallet user', realm: 'splice wallet realm' };
const WALLET_STATUS: Access = { ...WALLET, class: 'any token' };
const NAMES: Access = { class: 'wallet user', realm: 'splice ans realm' };
const SV_OPERATOR: Access = { class: 'sv operator', realm: 'splice sv realm' };
const SV_ADMIN: Access = { class: 'sv admin', realm: 'splice sv admin realm' };

type Row = readonly [path: RegExp, access: Access | undefined];

/** The first matching row decides; operations without one are open. */
const ROWS: Readonly<Partial<Record<string, readonly Row[]>>> = {
  validator: [
    [/^\/v\d\/scan-proxy\//, PROXY],
    [/^\/v0\/register$/, REGISTERING],
    [/^\/v0\/admin\//, OPERATOR],
  ],
  wallet: [
    [/^\/v0\/(?:wallet\/user-status|feature-support)$/, WALLET_STATUS],
    [/^/, WALLET],
  ],
  names: [[/^/, NAMES]],
  sv: [
    [/^\/v0\/admin\/domain\/cometbft\/(?:status|json-rpc)$/, undefined],
    [/^\/v0\/admin\/domain\/identities-dump$/, SV_ADMIN],
    [/^\/v1\/dso$/, SV_OPERATOR],
    [/^\/v0\/admin\//, SV_OPERATOR],
  ],
};

/** @param isProxied whether the operation is the registry's, below the validator's proxy */
export function accessOf({ api, path }: Operation, isProxied: boolean): Access | undefined {
  if (isProxied) return PROXY;
  return ROWS[api]?.find(([each]) => each.test(path))?.[1];
}
