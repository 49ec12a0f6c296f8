/** The removal of vetted packages and files, by release. */
import { startCanticle, type Canticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { GrpcClient } from '../../support/grpc/client.js';

const SERVICE = 'com.digitalasset.canton.admin.participant.v30.PackageService/';
const empty = encodePackage({ name: 'removed', version: '1.0.0', modules: { Main: {} } });
const bytes = Buffer.from(buildDar(empty)).toString('base64');

let canticle: Canticle;
let admin: GrpcClient;
afterEach(async () => {
  admin.close();
  await canticle.close();
});

it.each([
  ['3.4', 'is currently vetted and available to use.'],
  ['3.5', 'is currently vetted on the following synchronizers: '],
] as const)('%s: a package that %s stays (B-PKG-030, R-34-089)', async (canton, text) => {
  canticle = await startCanticle({
    canton,
    grpc: { adminApiPort: 0 },
    synchronizers: ['first', 'second'],
  });
  admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
  for (const { id: synchronizerId } of canticle.network.synchronizers)
    await admin.call(`${SERVICE}UploadDar`, {
      dars: [{ bytes }],
      vetAllPackages: true,
      synchronizerId,
    });
  const [participant] = canticle.network.participants;
  const remove = admin.call(`${SERVICE}RemovePackage`, { packageId: empty.id });
  await expect(remove).rejects.toMatchObject({
    code: 9,
    message: expect.stringContaining(`Package ${empty.id} ${text}`),
  });
  // Its file goes in 3.4, although it is still vetted on a synchronizer without connection.
  participant!.disconnect(canticle.network.synchronizers[1]!.id);
  const removal = admin.call(`${SERVICE}RemoveDar`, { mainPackageId: empty.id });
  if (canton === '3.4') expect(await removal).toEqual({});
  else await expect(removal).rejects.toMatchObject({ message: expect.stringContaining(text) });
});
