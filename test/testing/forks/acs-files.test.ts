/** Active contracts in Canton's own file format: written, read as a world, and what is wrong with such files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createCanticle, type Canticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

type Json = any;

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const ownPackage = encodePackage({
  name: 'own-assets',
  version: '1.0.0',
  modules: {
    Main: {
      templates: {
        Asset: {
          fields: { owner: t.party },
          signatories: e.list(t.party, [e.field(t.con('Main:Asset'), 'owner', e.var('this'))]),
          precondition: e.true,
        },
      },
    },
  },
});
const ownDar = buildDar(ownPackage);
const OWN = `${ownPackage.id}:Main:Asset`;
const folder = useTemporaryFolder();

let live: Canticle;
let [bank, alice, bob] = ['', '', ''];
let file: Uint8Array;

const iou = () => ({
  issuer: bank,
  owner: alice,
  currency: 'EUR',
  amount: '4.0',
  observers: [bob],
});
const WILDCARD = {
  cumulative: [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ],
};
const acs = async (of: Canticle): Promise<Json> => {
  const body = {
    eventFormat: { filtersByParty: {}, filtersForAnyParty: WILDCARD, verbose: false },
    activeAtOffset: of.participant.ledgerEnd,
  };
  const answer = await of.handle({ path: '/v2/state/active-contracts-page', body });
  return (answer.json() as Json).activeContracts;
};

beforeAll(() => {
  live = createCanticle({ seed: 3, synchronizers: ['global', 'other'], dars: [ownDar] });
  const { participant } = live;
  [bank, alice, bob] = ['bank', 'alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
    string,
  ];
  const ids = [1, 2, 3].map(() => participant.create(IOU, iou(), { actAs: [bank, alice] }));
  participant.exercise(IOU, ids[0]!, 'Iou_Split', { splitAmount: '1.0' }, { actAs: alice });
  live.token.mint(alice, '10.0');
  const asset = { owner: bob };
  participant.create(OWN, asset, { actAs: bob });
  const moving = participant.unassign(ids[2]!, { submitter: alice, to: 'other' });
  participant.assign(moving, { submitter: alice });
  file = live.dump({ format: 'acs' });
});

it('loads as a world with unchanged contracts, at its offset', async () => {
  const here = createCanticle({ load: file, dars: [ownDar] });
  const [was, is] = [await acs(live), await acs(here)];
  expect(was).toHaveLength(7);
  expect(is).toEqual(was);
  expect(here.participant.ledgerEnd).toBe(
    Math.max(...was.map((each: Json) => each.contractEntry.JsActiveContract.createdEvent.offset)),
  );
  expect(Buffer.compare(here.dump({ format: 'acs' }), file)).toBe(0);
});

it('continues as the source does, and is saved as any other world', () => {
  const here = createCanticle({ load: file, dars: [ownDar] });
  const did = [live, here].map((each) => {
    const before = each.snapshot();
    const [first] = each.participant.activeContracts({ party: bank, template: IOU });
    const as = { actAs: [alice, bob] };
    const { contractId } = first!;
    const moved = each.participant.exercise(IOU, contractId, 'Iou_Transfer', { newOwner: bob }, as);
    each.token.mint(bob, '1.0');
    const payload = each.participant.contract(moved.result as string)!.payload;
    const held = each.token.holdings(bob).map(({ payload }) => payload);
    if (each === live) each.revert(before);
    return [payload, held];
  });
  expect(did[1]).toEqual(did[0]);
  const again = createCanticle({ load: here.dump() });
  expect(Buffer.compare(again.dump(), here.dump())).toBe(0);
});

it('hosts additional parties, and a file for chosen parties has only their contracts', () => {
  const carol = `carol::1220${'ab'.repeat(32)}`;
  const { participant } = createCanticle({ load: { file, parties: [carol] }, dars: [ownDar] });
  const own = { ...iou(), issuer: carol, owner: carol };
  expect(participant.create(IOU, own, { actAs: carol })).toMatch(/^00/);
  const seen = live.participant.activeContracts({ party: bob }).length;
  const less = live.dump({ format: 'acs', parties: [bob] });
  expect(createCanticle({ load: less, dars: [ownDar] }).participant.activeContracts()).toHaveLength(
    seen,
  );
});

it('an export without contracts loads as a new world that hosts the named parties', () => {
  const empty = createCanticle();
  const nobody = empty.participant.allocateParty('nobody');
  const exported = empty.dump({ format: 'acs', parties: [nobody] });
  expect(gunzipSync(exported)).toHaveLength(0);
  const bank = `bank::1220${'ab'.repeat(32)}`;
  const here = createCanticle({ load: { file: exported, parties: [bank] } });
  expect([here.participant.ledgerEnd, here.participant.activeContracts()]).toEqual([0, []]);
  expect(here.network.synchronizers.map(({ alias }) => alias)).toEqual(
    empty.network.synchronizers.map(({ alias }) => alias),
  );
  const own = { ...iou(), issuer: bank, owner: bank, observers: [] };
  expect(here.participant.create(IOU, own, { actAs: bank })).toMatch(/^00/);
  here.token.mint(here.participant.allocateParty('carol'), '1.0');
  const again = createCanticle({ load: here.dump() });
  expect(Buffer.compare(again.dump(), here.dump())).toBe(0);
});

it('accepts the options of a new world, except those that the file sets', () => {
  const given = { seed: 9, time: '2027-01-01T00:00:00Z', participants: ['mine'], dars: [ownDar] };
  const here = createCanticle({ load: file, ...given });
  expect([here.time, here.participant.name]).toEqual(['2027-01-01T00:00:00.000000Z', 'mine']);
  for (const [options, why] of [
    [{ synchronizers: ['x'] }, 'synchronizers cannot be used with load'],
    [{ time: '2020-01-01T00:00:00Z' }, 'it has contracts that are newer than the initial time'],
  ] as const)
    expect(() => createCanticle({ load: file, dars: [ownDar], ...options })).toThrow(why);
});

describe('the import rejects a file', () => {
  const changed = (change: (bytes: Buffer) => Uint8Array): Uint8Array =>
    gzipSync(change(gunzipSync(file)));
  const swapped = (from: string, to: string) => (bytes: Buffer) => {
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1))
      bytes.write(to, at);
    return bytes;
  };
  const laterVersion = (bytes: Buffer): Buffer => {
    // The version is the last field of the first message, behind its length.
    const length = (bytes[0]! & 0x7f) + (bytes[1]! << 7);
    expect([...bytes.subarray(length, length + 2)]).toEqual([0x10, 30]);
    bytes[length + 1] = 31;
    return bytes;
  };

  it.each<[string, () => Uint8Array, string]>([
    ['torn', () => file.subarray(0, file.length - 20), 'it is truncated: its end is missing'],
    [
      'truncated',
      () => changed((bytes) => bytes.subarray(0, -5)),
      'it is damaged, or not an export of active contracts',
    ],
    [
      'of a later version',
      () => changed(laterVersion),
      'its contracts have version 31 of the format, but this Canticle reads only version 30',
    ],
    [
      'with a changed blob',
      () => changed(swapped('EUR', 'USD')),
      'does not match its blob, which was changed',
    ],
    [
      'with the same contract twice',
      () => changed((bytes) => Buffer.concat([bytes, bytes])),
      'it has contract 00',
    ],
    ['without bytes', () => Buffer.alloc(0), 'it is neither a world that Canticle saved'],
    [
      'without contents, in brotli',
      () => brotliCompressSync(''),
      'it is neither a world that Canticle',
    ],
  ])('that is %s', (_, make, why) => {
    const path = join(folder(), 'bad.acs');
    writeFileSync(path, make());
    expect(() => createCanticle({ load: path, dars: [ownDar] })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(why) }),
    );
    expect(() => createCanticle({ load: path, dars: [ownDar] })).toThrow(
      `Failed to read the world '${path}': `,
    );
  });

  it('whose package is missing, and names the package', () => {
    expect(() => createCanticle({ load: file })).toThrow(
      `it needs packages that are missing: own-assets (${ownPackage.id}). Pass their DARs`,
    );
  });
});

it.each([
  [{ format: 'acs', packages: false }, 'packages cannot be used'],
  [{ format: 'acs', participant: 'nobody' }, 'Unknown participant nobody'],
  [{ parties: ['x'] }, 'The options participant and parties'],
  [{ format: 'zip' }, "The format must be one of world, acs, not 'zip'."],
])('rejects %j', (options, why) => {
  expect(() => live.dump(options as never)).toThrow(why);
});

it('a whole world rejects the option parties', () => {
  expect(() => createCanticle({ load: { file: live.dump(), parties: [bob] } })).toThrow(
    'load.parties needs a file of active contracts, but this file is a whole world',
  );
});

describeWithDars('real Amulet', ['splice-amulet-0.1.14.dar'], (dar) => {
  it('continues from its contracts, with packages of the folder', () => {
    const there = createCanticle({ amulet: { dar, automaticRounds: false } });
    const [carol, dora] = ['carol', 'dora'].map((hint) =>
      there.participant.allocateParty(hint),
    ) as [string, string];
    there.amulet.tap(carol, '100.0');
    const here = createCanticle({ load: { file: there.dump({ format: 'acs' }), parties: [dora] } });
    const held = [there, here].map(({ amulet }) => {
      const offer = amulet.transfer({ from: carol, to: dora, amount: '30.0' });
      amulet.accept(offer.instruction!, dora);
      return [carol, dora].map((each) => amulet.holdings(each).map(({ payload }) => payload));
    });
    expect(held[0]![1]).toHaveLength(1);
    expect(held[1]).toEqual(held[0]);
  });
});
