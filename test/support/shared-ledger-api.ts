/**
 * One Canticle for all tests of a file. Each test ends with a revert to the start, which is faster than a new
 * instance.
 */
import type { Canticle, StartOptions } from 'canticle';
import { useCanticle } from '../../src/testing/jest.js';
import { TestClient } from './client.js';
import { GrpcClient } from './grpc/client.js';
import { LedgerApi, ledgerApiOptions } from './ledger-api.js';

export interface OpenLedger {
  readonly api: LedgerApi;
  /** One client of gRPC for the file. */
  connect(): Promise<GrpcClient>;
}

let latest: OpenLedger | undefined;

/** The newest of the current file; undefined without gRPC. */
export const latestLedger = (): OpenLedger | undefined => latest;

/** Changes before the first test, such as `canticle.participant.allocateParty('alice')`, remain for all tests. */
export function useLedgerApi(options: StartOptions = {}): LedgerApi {
  const whole = ledgerApiOptions(options);
  const client = new TestClient(useCanticle(whole), whole);
  const api = new LedgerApi(client);
  let grpc: GrpcClient | undefined;
  afterAll(async () => {
    grpc?.close();
    await client.close();
  });
  const connect = async () => (grpc ??= await GrpcClient.connect(api.canticle.urls.grpc!));
  latest = options.grpc === undefined ? undefined : { api, connect };
  return api;
}

/** Parties that exist in each test of the file. */
export function useParties<const N extends readonly string[]>(
  { canticle }: LedgerApi,
  ...hints: N
): { [K in keyof N]: string } {
  return hints.map((hint) => canticle.participant.allocateParty(hint)) as {
    [K in keyof N]: string;
  };
}

/** The Ledger API of another participant of the same instance. */
export function useParticipant({ canticle }: LedgerApi, name: string): LedgerApi {
  const there = Object.create(canticle, {
    url: { get: () => canticle.ledgerApis[name] },
  }) as Canticle;
  const client = new TestClient(there, {});
  afterAll(() => client.close());
  return new LedgerApi(client);
}
