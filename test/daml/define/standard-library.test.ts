/** The stable packages of the standard library: our archives equal those of the compiler, as their ids show (B-PKG-028). */
import { createCanticle } from 'canticle';
import { STABLE_PACKAGE_IDS } from '../../../src/daml/archive/lf-version.js';
import { readPayloads } from '../../../src/daml/dar/payloads.js';
import { STABLE_PACKAGES } from '../../../src/daml/define/stable-packages.js';
import { sha256Hex } from '../../../src/daml/model/hash.js';

test('includes each package that a participant treats as stable', () => {
  expect(STABLE_PACKAGES.map(({ id }) => id).sort()).toEqual([...STABLE_PACKAGE_IDS].sort());
});

test.each(STABLE_PACKAGES.map((each) => [each.name, each] as const))(
  'the id of %s is the hash of its archive',
  (_name, { archive, id }) => {
    expect(sha256Hex(archive!)).toBe(id);
  },
);

describe('decoded from the archives', () => {
  const all = readPayloads(STABLE_PACKAGES.map(({ archive }) => archive!));
  const read = new Map(all.map((each) => [each.id, each]));

  test.each(STABLE_PACKAGES.map((each) => [each.name, each] as const))(
    '%s has the declared types',
    (_name, declared) => {
      const found = read.get(declared.id)!;
      const { name, version, dependencies } = found;
      expect({ name, version, dependencies }).toEqual({
        name: declared.name,
        version: '1.0.0',
        dependencies: declared.dependencies,
      });
      expect([...declared.dataTypes]).toEqual([...found.dataTypes]);
      expect([declared.templates.size, declared.interfaces.size]).toEqual([0, 0]);
    },
  );
});

test('each participant initially lists, vets and returns these packages', async () => {
  const canticle = createCanticle({ bare: true, participants: ['one', 'two'] });
  const request = async (path: string, body?: object) =>
    canticle.handle({ path, ...(body && { body }) });
  for (const at of ['', '/participants/two']) {
    const { packageIds } = (await request(`${at}/v2/packages`)).json() as { packageIds: string[] };
    expect([...packageIds].sort()).toEqual([...STABLE_PACKAGE_IDS].sort());
    const { vettedPackages } = (await request(`${at}/v2/package-vetting/list`, {})).json() as {
      vettedPackages: { packages: { packageId: string }[] }[];
    };
    for (const { packages } of vettedPackages)
      expect(packages.map(({ packageId }) => packageId)).toEqual(
        expect.arrayContaining(packageIds),
      );
    for (const id of packageIds) {
      const { body } = await request(`${at}/v2/packages/${id}`);
      expect(sha256Hex(body)).toBe(id);
    }
  }
});

test('the initially vetted packages have the order of a real participant (B-PKG-028)', async () => {
  const { json } = await createCanticle({ bare: true }).handle({
    path: '/v2/package-vetting/list',
    body: { packageMetadataFilter: { packageIds: [], packageNamePrefixes: ['daml-prim-'] } },
  });
  const { vettedPackages } = json() as { vettedPackages: [{ packages: { packageId: string }[] }] };
  const [{ packages }] = vettedPackages;
  expect(packages.map(({ packageId }) => packageId.slice(0, 8)).join(' ')).toBe(
    'fcee8dfc 91e167fa f181cd66 19f0df5f ab068e2f 5aee9b21 6da1f43a 0e4a572a ee33fb70 e7e0adfa e5411f3d',
  );
});
