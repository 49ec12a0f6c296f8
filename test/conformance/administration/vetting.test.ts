/** Conformance: which packages are vetted, where, by whom and for how long, and what may be vetted together. */
import type { EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  create,
  startLedgerApi,
  type LedgerApi,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParticipant } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';
import { change, dar, OURS, type Reference } from '../support/vetting.js';

const [dep, v1, v2, splitV2, incompatibleV3, alt] = OURS;
const alpha = useLedgerApi({
  grpc: true,
  synchronizers: [{ alias: 'one' }, { alias: 'two' }],
  participants: [{ name: 'alpha' }, { name: 'beta' }, { name: 'gamma', synchronizers: ['one'] }],
});
const beta = useParticipant(alpha, 'beta');
const gamma = useParticipant(alpha, 'gamma');
const { network } = alpha.canticle;
const [ALPHA, BETA, GAMMA] = network.participants.map(({ id }) => id) as [string, string, string];
const [ONE, TWO] = network.synchronizers.map(({ id }) => id) as [string, string];

const LIST = '/v2/package-vetting/list';
const UPDATE = '/v2/package-vetting/update';
const FORCE = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG';

/** To the first synchronizer, vetted; or known only. */
const upload = (one: EncodedPackage) =>
  alpha.ok(`/v2/dars?vetAllPackages=true&synchronizerId=${encodeURIComponent(ONE)}`, dar(one));
const uploadOnly = async (...all: EncodedPackage[]) => {
  for (const one of all) await alpha.ok('/v2/dars?vetAllPackages=false', dar(one));
};

interface More {
  readonly api?: LedgerApi;
  readonly synchronizerId?: string;
  readonly [member: string]: unknown;
}
const changed = (changes: object[], { api = alpha, ...more }: More = {}) =>
  api.post(UPDATE, { changes, synchronizerId: ONE, ...more });
type Changing = ReturnType<typeof changed>;
const accepted = async (changing: Changing): Promise<JsonAnswer> => {
  const answer = await changing;
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const vet = (refs: Reference[], more?: More) => accepted(changed([change('Vet', refs)], more));
const unvet = (refs: Reference[], more?: More) => accepted(changed([change('Unvet', refs)], more));

interface Listing {
  readonly ids?: readonly string[];
  readonly names?: readonly string[];
  readonly participants?: readonly string[];
  readonly synchronizers?: readonly string[];
  readonly pageSize?: number;
  readonly pageToken?: string;
}
const page = (listing: Listing = {}, api = alpha): Promise<JsonAnswer> =>
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
/** The test's packages among the vetted ones. */
const ours = ({ packages }: JsonAnswer): EncodedPackage[] =>
  OURS.filter(({ id }) => packages.some(({ packageId }: JsonAnswer) => packageId === id));
/** The packages that alpha vetted on the first synchronizer. */
async function vetted(listing: Listing = {}): Promise<EncodedPackage[]> {
  const here = { participants: [ALPHA], synchronizers: [ONE] };
  const { vettedPackages } = await page({ ...listing, ...here });
  expect(vettedPackages).toMatchObject([{ participantId: ALPHA, synchronizerId: ONE }]);
  return ours(vettedPackages[0]);
}
/** The past and new packages of alpha on the first synchronizer, in the answer to an update. */
const beforeAndAfter = ({ pastVettedPackages, newVettedPackages }: JsonAnswer) =>
  [pastVettedPackages, newVettedPackages].map((state) => {
    expect(state).toMatchObject({ participantId: ALPHA, synchronizerId: ONE });
    return ours(state);
  });

/** Packages that cannot be vetted together, by error code. */
const TOGETHER = {
  NOT_VALID_UPGRADE_PACKAGE: [v2, incompatibleV3],
  KNOWN_PACKAGE_VERSION: [v2, splitV2],
};

conformanceSuite('VettingIT', {}, (reproduce) => {
  const known = () => uploadOnly(dep, v1, v2, alt);
  const withDep = async () => {
    await known();
    await vet([dep]);
  };

  reproduce(
    'PVListVettedPackagesBasic',
    'filters by package ids and name prefixes, and returns the union',
    async () => {
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
    },
  );

  reproduce('PVUploadDarFileBasic', 'vets the main package and its dependencies', async () => {
    await upload(v2);
    await uploadOnly(alt);
    expect(await vetted()).toEqual([dep, v2]);
  });

  reproduce(
    'PVUpdateVetDepThenV2Succeeds',
    'returns the vetted packages before and after each change',
    async () => {
      await known();
      expect(beforeAndAfter(await vet([dep]))).toEqual([[], [dep]]);
      expect(beforeAndAfter(await vet([v2]))).toEqual([[dep], [dep, v2]]);
      expect(await vetted()).toEqual([dep, v2]);
    },
  );

  reproduce(
    'PVUpdateUnvetV2Succeeds',
    'unvets one package, and keeps the other vetted',
    async () => {
      await known();
      await vet([dep, v2]);
      expect(beforeAndAfter(await unvet([v2]))).toEqual([[dep, v2], [dep]]);
      expect(await vetted()).toEqual([dep]);
    },
  );

  reproduce(
    'PVUpdateVetTwoPackagesAtATimeSucceeds',
    'vets two packages in one request',
    async () => {
      await known();
      expect(beforeAndAfter(await vet([v2, dep]))).toEqual([[], [dep, v2]]);
      expect(await vetted()).toEqual([dep, v2]);
    },
  );

  const AMBIGUOUS = 'AMBIGUOUS_VETTING_REFERENCE';
  const UNRESOLVED = 'UNRESOLVED_VETTING_REFERENCE';
  const named = { packageName: 'vetting-main', packageVersion: '2.0.0' };
  const expectFound = async (one: Reference) => {
    await withDep();
    expect(beforeAndAfter(await vet([one]))).toEqual([[dep], [dep, v2]]);
    expect(await vetted()).toEqual([dep, v2]);
  };
  const expectNotFound = async (one: Reference, code = UNRESOLVED) => {
    await withDep();
    await expectRefused(changed([change('Vet', [one])]), code);
    expect(await vetted()).toEqual([dep]);
  };
  reproduce('PVUpdateVetMultipleByNameFails', AMBIGUOUS, async () => {
    await expectNotFound({ packageName: 'vetting-main' }, AMBIGUOUS);
  });
  reproduce('PVUpdateVetNonexistentNameFails', UNRESOLVED, async () => {
    await expectNotFound({ packageName: 'nonexistent-name' });
  });
  reproduce('PVUpdateVetByNameAndVersion', 'accepts a package name with its version', () =>
    expectFound(named),
  );
  reproduce('PVUpdateVetByNameAndNonexistentVersion', UNRESOLVED, async () => {
    await expectNotFound({ ...named, packageVersion: '3.0.0' });
  });
  reproduce(
    'PVUpdateVetByIdAndNameAndVersion',
    'accepts a package id with its name and version',
    async () => {
      await expectFound({ packageId: v2.id, ...named });
    },
  );
  reproduce('PVUpdateVetByIdWithWrongName', UNRESOLVED, async () => {
    await expectNotFound({ packageId: v2.id, ...named, packageName: 'nonexistent-name' });
  });
  reproduce('PVUpdateVetByIdWithWrongVersion', UNRESOLVED, async () => {
    await expectNotFound({ packageId: v2.id, ...named, packageVersion: '3.0.0' });
  });

  const expecting = (value: number) => ({
    expectedTopologySerial: { serial: { Prior: { value } } },
  });
  reproduce('PVUpdateVetWithSerial', 'each change increases the topology serial', async () => {
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
      await expectRefused(changed([change('Vet', [v2])], more), 'TOPOLOGY_SERIAL_MISMATCH');
      expect(await vetted()).toEqual([dep]);
    },
  );

  reproduce(
    'PVListVettedPackagesNothingVetted',
    'does not list known packages that are not vetted',
    async () => {
      await uploadOnly(dep, v2, alt);
      expect(await vetted()).toEqual([]);
    },
  );

  reproduce(
    'PVDryRun',
    'returns the vetted packages as after the change, and changes nothing',
    async () => {
      await uploadOnly(v2, alt);
      expect(beforeAndAfter(await vet([alt], { dryRun: true }))).toEqual([[], [alt]]);
      expect(await vetted()).toEqual([]);
    },
  );

  reproduce(
    'PVWritingAndOverwritingBounds',
    'stores the validity bounds, and replaces them',
    async () => {
      await uploadOnly(v2, alt);
      await vet([dep]);
      const at = (seconds: number) => `1970-01-01T00:00:0${seconds}Z`;
      const between = async (from: number, until: number, ...ones: EncodedPackage[]) => {
        const bounds = { newValidFromInclusive: at(from), newValidUntilExclusive: at(until) };
        await accepted(changed([change('Vet', ones, bounds)]));
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
    },
  );

  reproduce(
    'PVValidateDarCheckUpgradeInvariants',
    'returns the error code of each failed check',
    async () => {
      await upload(v2);
      const path = `/v2/dars/validate?synchronizerId=${encodeURIComponent(ONE)}`;
      const validating = (one: EncodedPackage) => alpha.post(path, dar(one));
      await expectRefused(validating(splitV2), 'KNOWN_PACKAGE_VERSION');
      await expectRefused(validating(incompatibleV3), 'NOT_VALID_UPGRADE_PACKAGE');
    },
  );

  reproduce(
    'PVUnvettedDependenciesSupported',
    'vets a package whose dependency is not vetted',
    async () => {
      await uploadOnly(dep, v2);
      for (const dryRun of [true, false]) await vet([v2], { dryRun });
      expect(await vetted()).toEqual([v2]);
      await unvet([v2]);
      await vet([dep]);
      const exchange = [change('Vet', [v2]), change('Unvet', [dep])];
      for (const dryRun of [true, false]) await accepted(changed(exchange, { dryRun }));
      expect(await vetted()).toEqual([v2]);
    },
  );

  reproduce(
    'PVCheckUnvettedPackagesExceptWithForceFlag',
    'on protocol version 34, requires the force flag',
    async () => {
      const earlier = await startLedgerApi({ protocolVersion: 34 });
      for (const one of [dep, v2]) await earlier.ok('/v2/dars?vetAllPackages=false', dar(one));
      const synchronizerId = earlier.canticle.network.synchronizers[0]!.id;
      const forced = { updateVettedPackagesForceFlags: [`${FORCE}_ALLOW_UNVETTED_DEPENDENCIES`] };
      const changing = (changes: object[], more: object) =>
        changed(changes, { api: earlier, synchronizerId, ...more });
      const [v2In, v2Out] = [change('Vet', [v2]), change('Unvet', [v2])];
      const [depIn, depOut] = [change('Vet', [dep]), change('Unvet', [dep])];
      for (const changes of [[v2In], [v2In, depOut]]) {
        for (const dryRun of [true, false])
          await expectRefused(changing(changes, { dryRun }), 'TOPOLOGY_DEPENDENCIES_NOT_VETTED');
        for (const dryRun of [true, false]) {
          const { newVettedPackages } = await accepted(changing(changes, { dryRun, ...forced }));
          expect(ours(newVettedPackages)).toEqual([v2]);
        }
        await accepted(changing([v2Out, depIn], {}));
      }
      await earlier.client.close();
    },
  );

  reproduce(
    'PVCheckUpgradeInvariantsExceptWithForceFlag',
    'rejects an incompatible upgrade without the force flag',
    async () => {
      await uploadOnly(v2, incompatibleV3, splitV2);
      await vet([dep]);
      const forced = {
        updateVettedPackagesForceFlags: [`${FORCE}_ALLOW_VET_INCOMPATIBLE_UPGRADES`],
      };
      for (const [code, refs] of Object.entries(TOGETHER)) {
        for (const dryRun of [true, false])
          await expectRefused(changed([change('Vet', refs)], { dryRun }), code);
        for (const dryRun of [true, false]) {
          const answer = await vet(refs, { dryRun, ...forced });
          expect(beforeAndAfter(answer)[1]).toEqual(expect.arrayContaining(refs));
        }
      }
      expect(await vetted()).toEqual([dep, v2, splitV2, incompatibleV3]);
    },
  );

  /** The vetting of the second version by participant and synchronizer; null if the list omits the pair. */
  async function table(listing: Listing = {}, api = alpha) {
    const { vettedPackages } = await page(listing, api);
    const at = (participantId: string, synchronizerId: string) => {
      const found = vettedPackages.find(
        (each: JsonAnswer) =>
          each.participantId === participantId && each.synchronizerId === synchronizerId,
      );
      return found === undefined ? null : ours(found).includes(v2);
    };
    return [at(ALPHA, ONE), at(BETA, ONE), at(ALPHA, TWO), at(BETA, TWO)];
  }

  reproduce(
    'PVListVettedPackagesMultiSynchronizer',
    'lists each pair of participant and synchronizer, and filters by both',
    async () => {
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
      expect(await table({ participants, synchronizers: [TWO] })).toEqual([
        null,
        null,
        true,
        false,
      ]);
      expect(await table({ ids: [v2.id] })).toEqual([true, true, true, null]);
      expect(await table({ ids: [v2.id], synchronizers: [TWO] })).toEqual([null, null, true, null]);
      await unvet([v2], { synchronizerId: TWO });
      expect(await table()).toEqual([true, true, false, false]);
    },
  );

  reproduce(
    'PVListVettedPackagesAsymmetricSynchronizer',
    'lists only synchronizers to which the participant is connected',
    async () => {
      for (const api of [alpha, gamma]) await api.ok('/v2/dars?vetAllPackages=false', dar(v2));
      await vet([dep, v2]);
      await vet([dep, v2], { api: gamma });
      await vet([dep, v2], { synchronizerId: TWO });
      const pairs = async (api: LedgerApi) =>
        (await page({ ids: [v2.id] }, api)).vettedPackages.map((each: JsonAnswer) => [
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
    },
  );

  reproduce(
    'PVListVettedPackagesPagination',
    'pages through sorted pairs, until a page is empty',
    async () => {
      for (const api of [alpha, beta]) {
        await api.ok('/v2/dars?vetAllPackages=false', dar(v2));
        for (const synchronizerId of [TWO, ONE]) await vet([dep, v2], { api, synchronizerId });
      }
      const both = { participants: [ALPHA, BETA] };
      const key = ({ synchronizerId, participantId }: JsonAnswer) =>
        `${synchronizerId} ${participantId}`;
      /** One by one, until a page is empty. */
      async function stepped(listing: Listing): Promise<JsonAnswer[]> {
        const seen: JsonAnswer[] = [];
        for (let pageToken = ''; ;) {
          const one = await page({ ...listing, pageSize: 1, pageToken });
          if (one.vettedPackages.length === 0) return seen;
          expect(one.vettedPackages).toHaveLength(1);
          seen.push(...one.vettedPackages);
          pageToken = one.nextPageToken;
        }
      }
      const { vettedPackages: whole } = await page(both);
      expect(whole.map(key)).toEqual(
        [ONE, TWO].flatMap((one) => [`${one} ${ALPHA}`, `${one} ${BETA}`]).sort(),
      );
      for (const each of whole) expect(ours(each)).toEqual([dep, v2]);
      expect(await stepped(both)).toEqual(whole);
      const version = await alpha.client.ledger('GET', '/v2/version');
      const { maxVettedPackagesPageSize: most } = version.body.features.packageFeature;
      const first = await page({ ...both, pageSize: 1 });
      const rest = await page({ ...both, pageSize: most, pageToken: first.nextPageToken });
      expect([...first.vettedPackages, ...rest.vettedPackages]).toEqual(whole);
      const only = (part: string) => whole.filter((each: JsonAnswer) => key(each).includes(part));
      const [ofOne, ofAlpha] = [only(ONE), only(ALPHA)];
      expect([ofOne.length, ofAlpha.length]).toEqual([2, 2]);
      expect(await stepped({ ...both, synchronizers: [ONE] })).toEqual(ofOne);
      expect(await stepped({ participants: [ALPHA] })).toEqual(ofAlpha);
      expect(await stepped({ participants: [ALPHA], synchronizers: [ONE] })).toEqual(
        ofOne.filter((each: JsonAnswer) => ofAlpha.includes(each)),
      );
      for (const wrong of [
        { pageSize: -1 },
        { pageSize: most + 1 },
        { pageSize: 1, pageToken: 'INVALID_PAGE_TOKEN' },
      ])
        await expectRefused(alpha.post(LIST, wrong), 'PROTO_DESERIALIZATION_FAILURE');
    },
  );

  reproduce('PVUnvetPackageWithActiveContracts', 'allowed', async () => {
    await uploadOnly(v1, v2);
    const party = network.participants[0]!.allocateParty('holder', [ONE]);
    expect(beforeAndAfter(await vet([dep, v1]))).toEqual([[], [dep, v1]]);
    const simple = create(`${v1.id}:Main:MainTSimple`, { p: party });
    await alpha.submit(simple, { actAs: party });
    expect(beforeAndAfter(await unvet([v1]))).toEqual([[dep, v1], [dep]]);
  });
});
