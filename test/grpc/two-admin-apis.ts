/** Two participants, a client of each one's admin API, and external keys in the form of that API. */
import { startCanticle, type Canticle } from 'canticle';
import { newKey } from '../network/external/external-party.js';
import { GrpcClient } from '../support/grpc/client.js';

export const MANAGER = 'com.digitalasset.canton.topology.admin.v30.TopologyManager';
export const ADD = 'TOPOLOGY_CHANGE_OP_ADD_REPLACE';

interface AdminApis {
  readonly canticle: Canticle;
  readonly one: GrpcClient;
  readonly two: GrpcClient;
}

/** For the tests of a file. @returns an object that is complete once they run */
export function useTwoAdminApis(): AdminApis {
  const apis = {} as { -readonly [K in keyof AdminApis]: AdminApis[K] };
  beforeAll(async () => {
    const canticle = await startCanticle({
      participants: ['one', 'two'],
      grpc: { adminApiPort: 0 },
    });
    apis.canticle = canticle;
    apis.one = await GrpcClient.connect(canticle.grpcAdminApis['one']!);
    apis.two = await GrpcClient.connect(canticle.grpcAdminApis['two']!);
  });
  afterAll(async () => {
    apis.one.close();
    apis.two.close();
    await apis.canticle.close();
  });
  return apis;
}

/** A key outside of any node, with the fingerprint that Canton gives it. */
export function externalKey() {
  const { fingerprint, publicKey, sign } = newKey();
  const { format, keyData, keySpec } = publicKey;
  const usage = ['SIGNING_KEY_USAGE_NAMESPACE', 'SIGNING_KEY_USAGE_PROTOCOL'];
  return { fingerprint, message: { format, publicKey: keyData, usage, keySpec }, sign };
}
