/** The removal of packages and files: of vetted ones by release, by force, and of those that others have. */
import { startCanticle, type Canticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
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

async function started(): Promise<void> {
  canticle = await startCanticle({ grpc: { adminApiPort: 0 } });
  admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
}

const upload = (dar: Uint8Array): Promise<unknown> =>
  admin.call(`${SERVICE}UploadDar`, {
    dars: [{ bytes: Buffer.from(dar).toString('base64') }],
    vetAllPackages: true,
    synchronizerId: canticle.network.synchronizers[0]!.id,
  });
const has = async (packageId: string): Promise<boolean> => {
  const { packageDescriptions } = await admin.call(`${SERVICE}ListPackages`, {});
  return packageDescriptions.some((each: { packageId: string }) => each.packageId === packageId);
};

it('a vetted package is removed by force', async () => {
  await started();
  await upload(buildDar(empty));
  expect(await has(empty.id)).toBe(true);
  await admin.call(`${SERVICE}RemovePackage`, { packageId: empty.id, force: true });
  expect(await has(empty.id)).toBe(false);
});

it('a file stays if it is the only one with a package in use', async () => {
  await started();
  const used = encodePackage({
    name: 'used',
    version: '1.0.0',
    modules: {
      Main: {
        templates: {
          Asset: {
            fields: { owner: t.party },
            signatories: e.list(t.party, [e.field(t.con('Main:Asset'), 'owner', e.var('this'))]),
          },
        },
      },
    },
  });
  await upload(buildDar(empty, used));
  const { participant } = canticle;
  const owner = participant.allocateParty('owner');
  participant.create('#used:Main:Asset', { owner }, { actAs: [owner] });
  const remove = () => admin.call(`${SERVICE}RemoveDar`, { mainPackageId: empty.id });
  await expect(remove()).rejects.toMatchObject({
    message: expect.stringContaining('because it is the only DAR containing the used package'),
    details: { ErrorInfo: { reason: 'PACKAGE_OR_DAR_REMOVAL_ERROR' } },
  });
  expect([await has(empty.id), await has(used.id)]).toEqual([true, true]);
  await upload(buildDar(used));
  expect(await remove()).toEqual({});
  expect([await has(empty.id), await has(used.id)]).toEqual([false, true]);
  participant.create('#used:Main:Asset', { owner }, { actAs: [owner] });
});
