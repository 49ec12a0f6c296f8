/** Conformance: which packages are vetted, where, by whom and for how long, and what may be vetted together. */
import { buildDar } from '../support/dar-builder.js';
import { e } from '../support/lf-code.js';
import { encodePackage, type EncodedPackage, type Fields } from '../support/lf-encoder.js';
import { t } from '../support/lf-types.js';
import { create, startLedgerApi, type LedgerApi, type Told } from '../support/ledger-api.js';
import { useLedgerApi, useParticipant } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const alpha = useLedgerApi({
  synchronizers: [{ alias: 'one' }, { alias: 'two' }],
  participants: [{ name: 'alpha' }, { name: 'beta' }, { name: 'gamma', synchronizers: ['one'] }],
});
const beta = useParticipant(alpha, 'beta');
const gamma = useParticipant(alpha, 'gamma');
const { network } = alpha.canticle;
const [ALPHA, BETA, GAMMA] = network.participants.map(({ id }) => id) as [string, string, string];
const [ONE, TWO] = network.synchronizers.map(({ id }) => id) as [string, string];

function signedBy(template: string, field: string, more: Fields = {}) {
  const signatories = e.list(t.party, [e.field(t.con(`Main:${template}`), field, e.var('this'))]);
  return { fields: { [field]: t.party, ...more }, signatories, precondition: e.true };
}
const dep = encodePackage({
  name: 'vetting-dep',
  modules: { Dep: { types: { DepT: { record: { p: t.party } } } } },
});
const DEP_T = t.con(`${dep.id}:Dep:DepT`);
const main = (version: string, templates: Record<string, object>) =>
  encodePackage({
    name: 'vetting-main',
    version,
    imports: [dep.id],
    modules: { Main: { templates: { ...templates, MainTSimple: signedBy('MainTSimple', 'p') } } },
  });
const v1 = main('1.0.0', { MainT: signedBy('MainT', 'p', { dep: DEP_T }) });
const v2 = main('2.0.0', { MainT: signedBy('MainT', 'p', { dep: DEP_T }) });
const splitV2 = main('2.0.0', { DifferentMainT: signedBy('DifferentMainT', 'p', { dep: DEP_T }) });
const incompatibleV3 = main('3.0.0', {
  MainT: signedBy('MainT', 'p', { nonBackwardsCompatField: t.party }),
});
const alt = encodePackage({
  name: 'vetting-alt',
  modules: { Main: { templates: { AltT: signedBy('AltT', 'p') } } },
});

const LIST = '/v2/package-vetting/list';
const UPDATE = '/v2/package-vetting/update';

const dar = (one: EncodedPackage) =>
  one === dep || one === alt ? buildDar(one) : buildDar(one, dep);
/** To the first synchronizer, vetted; or known only. */
const upload = (one: EncodedPackage) =>
  alpha.ok(`/v2/dars?vetAllPackages=true&synchronizerId=${encodeURIComponent(ONE)}`, dar(one));
const uploadOnly = async (...all: EncodedPackage[]) => {
  for (const one of all) await alpha.ok('/v2/dars?vetAllPackages=false', dar(one));
};

type Reference =
  EncodedPackage | { packageId?: string; packageName?: string; packageVersion?: string };
const reference = (one: Reference) => ('id' in one ? { packageId: one.id } : one);
const change = (kind: 'Vet' | 'Unvet', refs: Reference[], bounds: object = {}) => ({
  operation: { [kind]: { value: { packages: refs.map(reference), ...bounds } } },
});
interface More {
  readonly api?: LedgerApi;
  readonly synchronizerId?: string;
  readonly [member: string]: unknown;
}
const changed = (changes: object[], { api = alpha, ...more }: More = {}) =>
  api.post(UPDATE, { changes, synchronizerId: ONE, ...more });
const vet = async (refs: Reference[], more?: More): Promise<Told> => {
  const answer = await changed([change('Vet', refs)], more);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const unvet = async (refs: Reference[], more?: More): Promise<Told> => {
  const answer = await changed([change('Unvet', refs)], more);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const outcome = async (answer: ReturnType<typeof changed>) => {
  const { status, body } = await answer;
  return status === 200 ? 'accepted' : body.code;
};

interface Listing {
  readonly ids?: readonly string[];
  readonly names?: readonly string[];
  readonly participants?: readonly string[];
  readonly synchronizers?: readonly string[];
  readonly pageSize?: number;
  readonly pageToken?: string;
}
const page = (listing: Listing = {}, api = alpha): Promise<Told> =>
  api.ok(LIST, {
    packageMetadataFilter: {
      packageIds: listing.ids ?? [],
      packageNamePrefixes: listing.names ?? [],
    },
    topologyStateFilter: {
      participantIds: listing.participants ?? [],
      synchronizerIds: listing.synchronizers ?? [],
    },
    pageSize: listing.pageSize ?? 0,
    pageToken: listing.pageToken ?? '',
  });
const OURS = [dep, v1, v2, splitV2, incompatibleV3, alt];
/** Those of ours that are among the packages. */
const ours = ({ packages }: Told): EncodedPackage[] =>
  OURS.filter(({ id }) => packages.some(({ packageId }: Told) => packageId === id));
/** What alpha has vetted on the first synchronizer. */
async function vetted(listing: Listing = {}): Promise<EncodedPackage[]> {
  const here = { participants: [ALPHA], synchronizers: [ONE] };
  const { vettedPackages } = await page({ ...listing, ...here });
  expect(vettedPackages).toMatchObject([{ participantId: ALPHA, synchronizerId: ONE }]);
  return ours(vettedPackages[0]);
}
/** What an update says was there, and is. */
const beforeAndAfter = ({ pastVettedPackages, newVettedPackages }: Told) => [
  ours(pastVettedPackages),
  ours(newVettedPackages),
];

const MULTIPLE: [string, EncodedPackage[]][] = [
  ['INCOMPATIBLE', [v2, incompatibleV3]],
  ['SAME_VERSION', [v2, splitV2]],
];

conformanceSuite('VettingIT', {}, (reproduce) => {
  const known = () => uploadOnly(dep, v1, v2, alt);
  const withDep = async () => {
    await known();
    await vet([dep]);
  };

  reproduce('PVListVettedPackagesBasic', 'by ids and prefixes of names, united', async () => {
    for (const one of [dep, v1, v2]) await upload(one);
    await uploadOnly(alt);
    const [depName, mainName] = ['vetting-dep', 'vetting-main'];
    const all = [dep, v1, v2];
    expect(await vetted()).toEqual(all);
    expect(await vetted({ names: [depName] })).toEqual([dep]);
    expect(await vetted({ names: [depName, mainName] })).toEqual(all);
    expect(await vetted({ ids: [dep.id] })).toEqual([dep]);
    expect(await vetted({ ids: [dep.id, v2.id] })).toEqual([dep, v2]);
    expect(await vetted({ ids: [dep.id], names: [depName] })).toEqual([dep]);
    expect(await vetted({ ids: [dep.id, v2.id], names: [depName, mainName] })).toEqual(all);
    expect(await vetted({ names: ['vetting-'] })).toEqual(all);
    expect(await vetted({ ids: [dep.id], names: [mainName] })).toEqual(all);
  });

  reproduce('PVUploadDarFileBasic', 'main package and dependencies', async () => {
    await upload(v2);
    await uploadOnly(alt);
    expect(await vetted()).toEqual([dep, v2]);
  });

  reproduce('PVUpdateVetDepThenV2Succeeds', 'past and new packages differ', async () => {
    await known();
    expect(beforeAndAfter(await vet([dep]))).toEqual([[], [dep]]);
    expect(beforeAndAfter(await vet([v2]))).toEqual([[dep], [dep, v2]]);
    expect(await vetted()).toEqual([dep, v2]);
  });

  reproduce('PVUpdateUnvetV2Succeeds', 'one leaves', async () => {
    await known();
    await vet([dep, v2]);
    expect(beforeAndAfter(await unvet([v2]))).toEqual([[dep, v2], [dep]]);
    expect(await vetted()).toEqual([dep]);
  });

  reproduce('PVUpdateVetTwoPackagesAtATimeSucceeds', 'in one request', async () => {
    await known();
    expect(beforeAndAfter(await vet([v2, dep]))).toEqual([[], [dep, v2]]);
    expect(await vetted()).toEqual([dep, v2]);
  });

  const AMBIGUOUS = 'AMBIGUOUS_VETTING_REFERENCE';
  const UNRESOLVED = 'UNRESOLVED_VETTING_REFERENCE';
  const named = { packageName: 'vetting-main', packageVersion: '2.0.0' };
  const vettedBy = async (one: Reference) => {
    await withDep();
    return outcome(changed([change('Vet', [one])]));
  };
  reproduce('PVUpdateVetMultipleByNameFails', AMBIGUOUS, async () => {
    expect(await vettedBy({ packageName: 'vetting-main' })).toBe(AMBIGUOUS);
  });
  reproduce('PVUpdateVetNonexistentNameFails', UNRESOLVED, async () => {
    expect(await vettedBy({ packageName: 'nonexistent-name' })).toBe(UNRESOLVED);
  });
  reproduce('PVUpdateVetByNameAndVersion', 'found', async () => {
    expect(await vettedBy(named)).toBe('accepted');
    expect(await vetted()).toEqual([dep, v2]);
  });
  reproduce('PVUpdateVetByNameAndNonexistentVersion', UNRESOLVED, async () => {
    expect(await vettedBy({ ...named, packageVersion: '3.0.0' })).toBe(UNRESOLVED);
  });
  reproduce('PVUpdateVetByIdAndNameAndVersion', 'all three agree', async () => {
    expect(await vettedBy({ packageId: v2.id, ...named })).toBe('accepted');
    expect(await vetted()).toEqual([dep, v2]);
  });
  reproduce('PVUpdateVetByIdWithWrongName', UNRESOLVED, async () => {
    const wrong = { packageId: v2.id, ...named, packageName: 'nonexistent-name' };
    expect(await vettedBy(wrong)).toBe(UNRESOLVED);
  });
  reproduce('PVUpdateVetByIdWithWrongVersion', UNRESOLVED, async () => {
    const wrong = { packageId: v2.id, ...named, packageVersion: '3.0.0' };
    expect(await vettedBy(wrong)).toBe(UNRESOLVED);
  });

  const expecting = (value: number) => ({
    expectedTopologySerial: { serial: { Prior: { value } } },
  });
  reproduce('PVUpdateVetWithSerial', 'each change has the next', async () => {
    await known();
    const { vettedPackages } = await page({ participants: [ALPHA], synchronizers: [ONE] });
    let serial = vettedPackages[0].topologySerial;
    for (const one of [dep, v2]) {
      const { pastVettedPackages, newVettedPackages } = await vet([one], expecting(serial));
      expect(pastVettedPackages.topologySerial).toBe(serial);
      expect(newVettedPackages.topologySerial).toBeGreaterThan(serial);
      serial = newVettedPackages.topologySerial;
    }
  });
  reproduce(
    ['PVUpdateVetWithWrongSerial', 'PVDryRunWithWrongSerial'],
    'TOPOLOGY_SERIAL_MISMATCH',
    async (caseId) => {
      await known();
      const { newVettedPackages } = await vet([dep]);
      expect(newVettedPackages.topologySerial).toBeGreaterThan(1);
      const more = { ...expecting(1), dryRun: caseId.includes('DryRun') };
      expect(await outcome(changed([change('Vet', [v2])], more))).toBe('TOPOLOGY_SERIAL_MISMATCH');
    },
  );

  reproduce('PVListVettedPackagesNothingVetted', 'what is known is not vetted', async () => {
    await uploadOnly(dep, v2, alt);
    expect(await vetted()).toEqual([]);
  });

  reproduce('PVDryRun', 'it tells what would be, and changes nothing', async () => {
    await uploadOnly(v2, alt);
    expect(beforeAndAfter(await vet([alt], { dryRun: true }))).toEqual([[], [alt]]);
    expect(await vetted()).toEqual([]);
  });

  reproduce('PVWritingAndOverwritingBounds', 'they are kept, and replaced', async () => {
    await uploadOnly(v2, alt);
    await vet([dep]);
    const at = (seconds: number) => `1970-01-01T00:00:0${seconds}Z`;
    const between = async (from: number, until: number, ...ones: EncodedPackage[]) => {
      const bounds = { newValidFromInclusive: at(from), newValidUntilExclusive: at(until) };
      expect(await outcome(changed([change('Vet', ones, bounds)]))).toBe('accepted');
      const { vettedPackages } = await page({
        ids: ones.map(({ id }) => id),
        participants: [ALPHA],
        synchronizers: [ONE],
      });
      expect(vettedPackages[0].packages).toHaveLength(ones.length);
      for (const each of vettedPackages[0].packages)
        expect(each).toMatchObject({
          validFromInclusive: at(from),
          validUntilExclusive: at(until),
        });
    };
    await between(0, 1, v2);
    await between(2, 3, v2, alt);
  });

  reproduce('PVValidateDarCheckUpgradeInvariants', 'each has its code', async () => {
    await upload(v2);
    const validated = async (one: EncodedPackage) => {
      const path = `/v2/dars/validate?synchronizerId=${encodeURIComponent(ONE)}`;
      return alpha.refusal(path, dar(one));
    };
    expect(await validated(splitV2)).toBe('KNOWN_PACKAGE_VERSION');
    expect(await validated(incompatibleV3)).toBe('NOT_VALID_UPGRADE_PACKAGE');
  });

  reproduce('PVUnvettedDependenciesSupported', 'a dependency may be missing', async () => {
    await uploadOnly(dep, v2);
    for (const dryRun of [true, false]) await vet([v2], { dryRun });
    expect(await vetted()).toEqual([v2]);
    await unvet([v2]);
    await vet([dep]);
    const exchange = [change('Vet', [v2]), change('Unvet', [dep])];
    for (const dryRun of [true, false])
      expect(await outcome(changed(exchange, { dryRun }))).toBe('accepted');
    expect(await vetted()).toEqual([v2]);
  });

  reproduce('PVCheckUnvettedPackagesExceptWithForceFlag', 'protocol 34: forced', async () => {
    const earlier = await startLedgerApi({ protocolVersion: 34 });
    for (const one of [dep, v2]) await earlier.ok('/v2/dars?vetAllPackages=false', dar(one));
    const synchronizerId = earlier.canticle.network.synchronizers[0]!.id;
    const updateVettedPackagesForceFlags = [
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
    ];
    const outcomes = async (changes: object[], more: object) => {
      const told: string[] = [];
      for (const dryRun of [true, false])
        told.push(
          await outcome(changed(changes, { api: earlier, synchronizerId, dryRun, ...more })),
        );
      return told;
    };
    const refused = ['TOPOLOGY_DEPENDENCIES_NOT_VETTED', 'TOPOLOGY_DEPENDENCIES_NOT_VETTED'];
    for (const changes of [[change('Vet', [v2])], [change('Vet', [v2]), change('Unvet', [dep])]]) {
      expect(await outcomes(changes, {})).toEqual(refused);
      expect(await outcomes(changes, { updateVettedPackagesForceFlags })).toEqual([
        'accepted',
        'accepted',
      ]);
      await outcomes([change('Unvet', [v2]), change('Vet', [dep])], {});
    }
    await earlier.client.close();
  });

  reproduce('PVCheckUpgradeInvariantsExceptWithForceFlag', 'unless forced', async () => {
    await uploadOnly(v2, incompatibleV3, splitV2);
    await vet([dep]);
    const updateVettedPackagesForceFlags = [
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
    ];
    const CODES: Record<string, string> = {
      INCOMPATIBLE: 'NOT_VALID_UPGRADE_PACKAGE',
      SAME_VERSION: 'KNOWN_PACKAGE_VERSION',
    };
    for (const [fault, refs] of MULTIPLE) {
      for (const dryRun of [true, false])
        expect(await outcome(changed([change('Vet', refs)], { dryRun }))).toBe(CODES[fault]);
      for (const dryRun of [true, false])
        await vet(refs, { dryRun, updateVettedPackagesForceFlags });
    }
  });

  /** Who has vetted the second version where, by pairs; null where nothing is told of a pair. */
  async function table(listing: Listing = {}, api = alpha) {
    const { vettedPackages } = await page(listing, api);
    const at = (participantId: string, synchronizerId: string) => {
      const found = vettedPackages.find(
        (each: Told) =>
          each.participantId === participantId && each.synchronizerId === synchronizerId,
      );
      return found === undefined ? null : ours(found).includes(v2);
    };
    return [at(ALPHA, ONE), at(BETA, ONE), at(ALPHA, TWO), at(BETA, TWO)];
  }

  reproduce('PVListVettedPackagesMultiSynchronizer', 'by participant and place', async () => {
    for (const api of [alpha, beta]) await api.ok('/v2/dars?vetAllPackages=false', dar(v2));
    await beta.ok('/v2/dars?vetAllPackages=false', dar(alt));
    await vet([dep, v2]);
    await vet([dep, v2], { api: beta });
    await vet([dep, v2], { synchronizerId: TWO });
    await vet([alt], { api: beta, synchronizerId: TWO });
    const all = [true, true, true, false];
    expect([await table(), await table({}, beta)]).toEqual([all, all]);
    const participants = [ALPHA, BETA];
    expect(await table({ participants, synchronizers: [ONE, TWO] })).toEqual(all);
    expect(await table({ participants: [BETA], synchronizers: [ONE, TWO] })).toEqual([
      null,
      true,
      null,
      false,
    ]);
    expect(await table({ participants, synchronizers: [TWO] })).toEqual([null, null, true, false]);
    expect(await table({ ids: [v2.id] })).toEqual([true, true, true, null]);
    expect(await table({ ids: [v2.id], synchronizers: [TWO] })).toEqual([null, null, true, null]);
    await unvet([v2], { synchronizerId: TWO });
    expect(await table()).toEqual([true, true, false, false]);
  });

  reproduce('PVListVettedPackagesAsymmetricSynchronizer', 'only where one is', async () => {
    for (const api of [alpha, gamma]) await api.ok('/v2/dars?vetAllPackages=false', dar(v2));
    await vet([dep, v2]);
    await vet([dep, v2], { api: gamma });
    await vet([dep, v2], { synchronizerId: TWO });
    const pairs = async (api: LedgerApi) =>
      (await page({ ids: [v2.id] }, api)).vettedPackages.map((each: Told) => [
        each.participantId,
        each.synchronizerId,
      ]);
    const all = [
      [ALPHA, ONE],
      [GAMMA, ONE],
      [ALPHA, TWO],
    ];
    expect((await pairs(alpha)).sort()).toEqual([...all].sort());
    expect((await pairs(gamma)).sort()).toEqual(all.slice(0, 2).sort());
  });

  reproduce('PVListVettedPackagesPagination', 'sorted pairs, to an empty page', async () => {
    for (const api of [alpha, beta]) {
      await api.ok('/v2/dars?vetAllPackages=false', dar(v2));
      for (const synchronizerId of [TWO, ONE]) await vet([dep, v2], { api, synchronizerId });
    }
    const both = { participants: [ALPHA, BETA] };
    const keys = ({ vettedPackages }: Told): string[] =>
      vettedPackages.map(
        ({ synchronizerId, participantId }: Told) => `${synchronizerId} ${participantId}`,
      );
    /** One by one, until a page is empty. */
    async function stepped(listing: Listing): Promise<string[]> {
      const seen: string[] = [];
      for (let pageToken = ''; ;) {
        const one = await page({ ...listing, pageSize: 1, pageToken });
        if (keys(one).length === 0) return seen;
        seen.push(...keys(one));
        pageToken = one.nextPageToken;
      }
    }
    const whole = await page(both);
    expect(keys(whole)).toHaveLength(4);
    expect(keys(whole)).toEqual([...keys(whole)].sort());
    for (const each of whole.vettedPackages) expect(ours(each)).toContain(v2);
    expect(await stepped(both)).toEqual(keys(whole));
    const version = await alpha.client.ledger('GET', '/v2/version');
    const { maxVettedPackagesPageSize: most } = version.body.features.packageFeature;
    const first = await page({ ...both, pageSize: 1 });
    const rest = await page({ ...both, pageSize: most, pageToken: first.nextPageToken });
    expect([...keys(first), ...keys(rest)]).toEqual(keys(whole));
    const only = (part: string) => keys(whole).filter((key) => key.includes(part));
    expect(await stepped({ ...both, synchronizers: [ONE] })).toEqual(only(ONE));
    expect(await stepped({ participants: [ALPHA] })).toEqual(only(ALPHA));
    expect(await stepped({ participants: [ALPHA], synchronizers: [ONE] })).toHaveLength(1);
    for (const wrong of [
      { pageSize: -1 },
      { pageSize: most + 1 },
      { pageSize: 1, pageToken: 'INVALID_PAGE_TOKEN' },
    ])
      expect(await alpha.refusal(LIST, wrong)).toBe('PROTO_DESERIALIZATION_FAILURE');
  });

  reproduce('PVUnvetPackageWithActiveContracts', 'allowed', async () => {
    await uploadOnly(v1, v2);
    const party = network.participants[0]!.allocateParty('holder', [ONE]);
    expect(ours((await vet([dep, v1])).newVettedPackages)).toEqual([dep, v1]);
    const simple = create(`${v1.id}:Main:MainTSimple`, { p: party });
    await alpha.submit(simple, { actAs: party });
    expect(ours((await unvet([v1])).newVettedPackages)).toEqual([dep]);
  });
});
