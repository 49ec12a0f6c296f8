/** The method of the Ledger API that release 3.6 disables (B-DEP-006). */
import type { StartOptions } from 'canticle';
import { startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';

const METHOD = 'interactive.InteractiveSubmissionService/GetPreferredPackageVersion';
let api: LedgerApi;
let grpc: GrpcClient;
afterEach(async () => {
  grpc.close();
  await api.client.close();
});

async function ask(options: StartOptions): Promise<object> {
  api = await startLedgerApi({ grpc: true, ...options });
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  const [alice] = await api.parties('alice');
  return grpc.call(METHOD, { parties: [alice], packageName: 'model-tests' });
}

it('is rejected by release 3.6 (B-DEP-006, R-36-013)', async () => {
  const fault = await ask({ canton: '3.6' }).catch((error: GrpcFault) => error);
  expect(fault).toMatchObject({ code: 9 });
  expect((fault as GrpcFault).message).toMatch(
    /^DEPRECATED_API_DISABLED\(9,\w+\): InteractiveSubmissionService\/GetPreferredPackageVersion was deprecated in Canton 3\.4, /,
  );
});

it('is unknown to release 3.7 (R-36-021)', async () => {
  const options = { canton: '3.7', enableDeprecatedEndpoints34: true } as const;
  await expect(ask(options)).rejects.toThrow(/Reflection .*GetPreferredPackageVersion/);
});

it.each<StartOptions>([{ canton: '3.6', enableDeprecatedEndpoints34: true }, { canton: '3.5' }])(
  'is served with %j',
  async (options) => {
    expect(await ask(options)).toHaveProperty('packagePreference.packageReference.packageName');
  },
);
