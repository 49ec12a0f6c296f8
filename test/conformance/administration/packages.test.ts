/** Conformance: packages. */
import { encodePackage, type EncodedPackage } from '../../support/daml/lf-encoder.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { eventFormat, exercise, wildcard } from '../../support/ledger-api.js';
import { e, u } from '../../support/daml/lf-code.js';
import { t } from '../../support/daml/lf-types.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParticipant, useParties } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({
  grpc: true,
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const beta = useParticipant(api, 'beta');
const [alice] = useParties(api, 'alice');

const get = (path: string) => api.client.ledger('GET', path);
const packageIds = async (): Promise<string[]> => (await get('/v2/packages')).body.packageIds;

/** Never uploaded; its text is that of a package id. */
const UNKNOWN = '%20';

conformanceSuite('PackageServiceIT', {}, (reproduce) => {
  reproduce('PackagesList', 'lists at least three packages on a new participant', async () => {
    expect((await packageIds()).length).toBeGreaterThanOrEqual(3);
  });

  reproduce(
    'PackagesGetKnown',
    'returns the bytes of a package, and its id as the hash',
    async () => {
      const [packageId] = await packageIds();
      const { status, headers, body } = await get(`/v2/packages/${packageId}`);
      expect(status).toBe(200);
      expect(headers['canton-package-hash']).toBe(packageId);
      expect(body.length).toBeGreaterThan(0);
    },
  );

  reproduce('PackagesGetUnknown', 'PACKAGE_NOT_FOUND', async () => {
    await expectRefused(get(`/v2/packages/${UNKNOWN}`), 'PACKAGE_NOT_FOUND');
  });

  reproduce('PackagesStatusKnown', 'reports each listed package as registered', async () => {
    const ids = await packageIds();
    const statuses = await Promise.all(ids.map((id) => get(`/v2/packages/${id}/status`)));
    expect(ids).not.toEqual([]);
    expect(new Set(statuses.map(({ body }) => body.packageStatus))).toEqual(
      new Set(['PACKAGE_STATUS_REGISTERED']),
    );
  });

  reproduce('PackagesStatusUnknown', 'returns an unspecified status, and no error', async () => {
    expect((await get(`/v2/packages/${UNKNOWN}/status`)).body).toEqual({
      packageStatus: 'PACKAGE_STATUS_UNSPECIFIED',
    });
  });
});

/** One template with one consuming choice. */
function uploadedPackage(): EncodedPackage {
  const owners = e.list(t.party, [e.field(t.con('Main:Thing'), 'owner', e.var('this'))]);
  const choice = { argument: t.unit, returns: t.unit, controllers: owners };
  const thing = {
    fields: { owner: t.party },
    signatories: owners,
    precondition: e.true,
    choices: { Use: { ...choice, update: u.pure(t.unit, e.unit) } },
  };
  return encodePackage({ name: 'uploaded', modules: { Main: { templates: { Thing: thing } } } });
}

conformanceSuite('PackageManagementServiceIT', {}, (reproduce, _, overJson) => {
  const upload = (dar: Uint8Array, to = api) => to.post('/v2/dars', dar);

  reproduce('PMEmptyUpload', 'INVALID_DAR', async () => {
    await expectRefused(upload(new Uint8Array()), 'INVALID_DAR', {
      cause: /Invalid DAR: package-upload|Dar file is corrupt/,
    });
  });

  reproduce(
    'PMDuplicateSubmissionId',
    'accepts the same DAR again, on each participant',
    async () => {
      const dar = buildDar(uploadedPackage());
      for (const to of [api, beta, api]) expect((await upload(dar, to)).status).toBe(200);
    },
  );

  // The list of known packages with their names is gRPC's; JSON lists ids.
  overJson(
    'PMLoad',
    'accepts eight concurrent uploads of one package, which is then listed once and usable',
    async () => {
      const main = uploadedPackage();
      const uploads = Array.from({ length: 8 }, () => upload(buildDar(main)));
      expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(Array(8).fill(200));
      const ids = await packageIds();
      expect(ids).toContain(main.id);
      expect(new Set(ids).size).toBe(ids.length);
      const thing = '#uploaded:Main:Thing';
      const format = eventFormat([alice], wildcard());
      const contractId = await api.create(thing, { owner: alice }, { actAs: alice });
      expect(await api.active(format)).toHaveLength(1);
      await api.submit(exercise(thing, contractId, 'Use'), { actAs: alice });
      expect(await api.active(format)).toEqual([]);
    },
  );
});
