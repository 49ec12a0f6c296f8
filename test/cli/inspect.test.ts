/** `canticle inspect`: what a DAR holds, and of two what is different and whether the second upgrades the first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDar } from '../support/daml/dar-builder.js';
import { encodePackage, type PackageSpec } from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from './in-process.js';

const folder = useTemporaryFolder();

/** A DAR of two packages, the second of which is the same in all. */
function darOf(
  file: string,
  modules: PackageSpec['modules'],
  head: Partial<PackageSpec> = {},
): string {
  const base = encodePackage({ name: 'base', version: '2.0.0', lf: '2', modules: BASE });
  const imports = [base.id];
  const main = encodePackage({
    name: 'shop',
    version: '1.0.0',
    lf: '2',
    imports,
    ...head,
    modules,
  });
  const path = join(folder(), file);
  writeFileSync(path, buildDar(main, base));
  return path;
}
const BASE = { Base: { types: { Unused: { record: {} } } } };

const article = (fields: Record<string, LfTypeSpec>, choices = {}): PackageSpec['modules'] => ({
  Shop: {
    types: {
      Sell: { record: { buyer: t.party, price: t.optional(t.numeric(10)) } },
      Size: { params: ['a'], variant: { Small: t.unit, Custom: t.list(t.var('a')) } },
      Colour: { enum: ['Red', 'Green'] },
      View: { record: { owner: t.party } },
    },
    interfaces: { Viewed: { view: t.con('Shop:View') } },
    templates: {
      Article: {
        fields,
        choices: {
          Sell: { argument: t.con('Shop:Sell'), returns: t.contractId(t.con('Shop:Article')) },
          ...choices,
        },
      },
    },
  },
});
const FIELDS = { owner: t.party, size: t.con('Shop:Size', t.optional(t.int64)) };
const look = { Look: { argument: t.party, returns: t.unit, consuming: false } };

/** Hashes differ with whatever the encoder writes. */
const plain = (text: string) => text.replaceAll(`${folder()}/`, '').replace(/[0-9a-f]{64}/g, '#');
async function inspect(...argv: readonly string[]) {
  const { status, stdout, stderr } = await runHere('inspect', ...argv);
  return { status, stdout: plain(stdout), stderr: plain(stderr) };
}

test('prints the declarations of a DAR and its packages', async () => {
  const { status, stdout } = await inspect(darOf('shop.dar', article(FIELDS, look)));
  expect(status).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "shop.dar (SHA-256 #)
    shop 1.0.0  #  LF 2.2

    module Shop
      template Article
        owner : Party
        size : Size (Optional Int)
        choice Sell : ContractId Article
          buyer : Party
          price : Optional (Numeric 10)
        nonconsuming choice Look : () with Party
      interface Viewed
        viewtype View
      variant Size a
        Small : ()
        Custom : [a]
      enum Colour
        Red
        Green
      record View
        owner : Party

    1 other package
      base 2.0.0  #  LF 2.2
    "
  `);
});

test('prints the same as JSON, and all packages on request', async () => {
  const { stdout } = await inspect(darOf('shop.dar', article(FIELDS)), '--json', '--all');
  const { main, packages } = JSON.parse(stdout);
  expect(main.modules[0].templates[0].choices).toEqual([
    {
      name: 'Sell',
      consuming: true,
      argument: 'Sell',
      fields: [
        { name: 'buyer', type: 'Party' },
        { name: 'price', type: 'Optional (Numeric 10)' },
      ],
      result: 'ContractId Article',
    },
  ]);
  expect(packages).toMatchObject([{ name: 'base', version: '2.0.0', modules: [{ name: 'Base' }] }]);
});

describe('with two DARs', () => {
  const first = () => darOf('first.dar', article(FIELDS));
  const later = { version: '1.1.0' };

  test('prints the differences, and that the second upgrades the first', async () => {
    const fields = { ...FIELDS, note: t.optional(t.text) };
    const { status, stdout } = await inspect(
      first(),
      darOf('later.dar', article(fields, look), later),
    );
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "from shop 1.0.0  #  LF 2.2
      to   shop 1.1.0  #  LF 2.2

        + module Shop, template Article, field note: Optional Text
        + module Shop, template Article, choice Look: nonconsuming

      shop 1.1.0 and shop 1.0.0 are versions of one package. The later one is a valid upgrade of the earlier one.
      "
    `);
  });

  test('prints the refusal of the upload if the second does not upgrade the first', async () => {
    const fields = { size: FIELDS.size, owner: t.text };
    const { status, stdout } = await inspect(first(), darOf('later.dar', article(fields), later));
    expect(status).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "from shop 1.0.0  #  LF 2.2
      to   shop 1.1.0  #  LF 2.2

        ~ module Shop, template Article, field owner: Party → Text
        ~ module Shop, template Article, order of fields: owner, size → size, owner

      A participant that vets the first rejects the second:
        NOT_VALID_UPGRADE_PACKAGE: Upgrade checks indicate that # (shop v1.1.0) cannot be an upgrade of # (shop v1.0.0). Reason: The upgraded template Article has changed the types of some of its original fields.
      "
    `);
    const { refusal, upgrades } = JSON.parse(
      (await inspect(first(), join(folder(), 'later.dar'), '--json')).stdout,
    );
    expect(upgrades).toBe(false);
    expect(refusal.code).toBe('NOT_VALID_UPGRADE_PACKAGE');
  });

  test('reports equal versions with different contents, equal files, and different package names', async () => {
    const other = await inspect(first(), darOf('other.dar', article(FIELDS, look)));
    expect(other.status).toBe(1);
    expect(other.stdout).toContain(
      'KNOWN_PACKAGE_VERSION: Tried to vet two packages with the same name and version:',
    );
    const same = await inspect(first(), first());
    expect(same).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('They are the same package.'),
    });
    const foreign = await inspect(
      first(),
      darOf('foreign.dar', article(FIELDS), { name: 'kiosk' }),
    );
    expect(foreign).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('different names'),
    });
    expect(foreign.stdout).toContain('They declare the same.');
  });
});

test.each(['inspect', 'upgrade-check'])(
  '%s compares each of several DARs with the DARs before it',
  async (name) => {
    const more = article({ ...FIELDS, note: t.optional(t.text) });
    const less = article({ owner: t.party });
    const files = [
      darOf('one.dar', article(FIELDS)),
      darOf('two.dar', more, { version: '1.1.0' }),
      darOf('three.dar', less, { version: '1.2.0' }),
    ];
    const good = await runHere(name, ...files.slice(0, 2), files[0]!);
    expect(good).toMatchObject({ status: 0, stderr: '' });
    expect(good.stdout).toContain('A participant accepts all of them, one after the other.');
    const bad = await runHere(name, ...files);
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/✓ \S*two\.dar {2}shop 1\.1\.0[^]*✗ \S*three\.dar {2}shop 1\.2\.0/);
    expect(bad.stdout).toContain('NOT_VALID_UPGRADE_PACKAGE');
    expect(bad.stdout).toContain('1 of 3 rejected by a participant that vets the earlier ones.');
    const listed = JSON.parse((await runHere(name, '--json', ...files)).stdout);
    expect(listed.map((each: any) => each.refusal?.code)).toEqual([
      undefined,
      undefined,
      'NOT_VALID_UPGRADE_PACKAGE',
    ]);
  },
);

test('refuses an invalid DAR', async () => {
  const file = join(folder(), 'torn.dar');
  writeFileSync(file, 'PK');
  expect(await inspect(file)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching('canticle: failed to read torn.dar: '),
  });
});
