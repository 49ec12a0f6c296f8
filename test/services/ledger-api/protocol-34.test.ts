/** Protocol version 34 of release 3.4 differs from 35: it requires vetted dependencies, and has no contract keys and one hash scheme. */
import { addPackages } from '../../../src/network/index.js';
import { createCanticle, d, definePackage, defineTemplate } from 'canticle';
import {
  EXECUTE_AND_WAIT,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../../network/external/external-party.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { key, keysPackage } from '../../support/daml/keys-package.js';
import { create } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage, type EncodedPackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';

const signedBy = (template: string, more = {}) => ({
  fields: { owner: t.party, ...more },
  signatories: e.list(t.party, [e.field(t.con(`Main:${template}`), 'owner', e.var('this'))]),
  precondition: e.true,
});
const of = (lf: '2' | '3') => {
  const base = encodePackage({
    lf,
    name: 'base',
    modules: {
      Main: {
        types: { Unit: { record: { name: t.text } } },
        templates: { Stone: signedBy('Stone') },
      },
    },
  });
  const house = encodePackage({
    lf,
    name: 'house',
    imports: [base.id],
    modules: {
      Main: {
        templates: {
          House: signedBy('House', { unit: t.optional(t.con(`${base.id}:Main:Unit`)) }),
        },
      },
    },
  });
  return { base, house };
};
const { base, house } = of('2');
const newer = of('3');

const api = useLedgerApi({ protocolVersion: 34, packages: [keysPackage] });
const later = useLedgerApi();
const [alice] = useParties(api, 'alice');
const [bob] = useParties(later, 'bob');

const FORCE = ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES'];
const changed = (kind: 'Vet' | 'Unvet', ids: string[], force?: string[], at = api) =>
  at.post('/v2/package-vetting/update', {
    changes: [
      { operation: { [kind]: { value: { packages: ids.map((packageId) => ({ packageId })) } } } },
    ],
    updateVettedPackagesForceFlags: force,
  });
const built = (id: string, owner: string, at = api) =>
  at.refusal(
    '/v2/commands/submit-and-wait',
    at.commands(create(`${id}:Main:House`, { owner, unit: null }), { actAs: owner }),
  );
const upload = (main: EncodedPackage, other: EncodedPackage, at = api) =>
  at.refusal('/v2/dars', buildDar(main, other));

describe('a package whose dependency is unvetted', () => {
  beforeEach(async () => {
    expect(await upload(house, base)).toBe('accepted');
  });

  it('prevents the unvetting, unless forced (B-VET-017, R-34-088)', async () => {
    const { status, body } = await changed('Unvet', [base.id]);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'TOPOLOGY_DEPENDENCIES_NOT_VETTED',
      cause: 'Package vetting failed due to dependencies not being vetted',
      context: { unvetted: `HashSet(${base.id})` },
    });
    expect((await changed('Unvet', [base.id, house.id])).status).toBe(200);
    expect((await changed('Vet', [house.id])).body.code).toBe('TOPOLOGY_DEPENDENCIES_NOT_VETTED');
    expect((await changed('Vet', [base.id, house.id])).status).toBe(200);
    expect((await changed('Unvet', [base.id], FORCE)).status).toBe(200);
  });

  it('is not selected, and not routed', async () => {
    expect(await built('#house', alice)).toBe('accepted');
    await changed('Unvet', [base.id], FORCE);
    expect(await built(house.id, alice)).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
    expect(await built('#house', alice)).toBe('PACKAGE_SELECTION_FAILED');
    const preferred = await api.post('/v2/interactive-submission/preferred-packages', {
      packageVettingRequirements: [{ packageName: 'house', parties: [alice] }],
    });
    expect([preferred.status, preferred.body.code]).toEqual([400, 'NO_PREFERRED_PACKAGES_FOUND']);
    await changed('Vet', [base.id]);
    expect(await built('#house', alice)).toBe('accepted');
  });
});

it('protocol version 35 accepts an unvetted dependency (R-34-088)', async () => {
  expect(await upload(house, base, later)).toBe('accepted');
  expect((await changed('Unvet', [base.id], undefined, later)).status).toBe(200);
  for (const id of [house.id, '#house']) expect(await built(id, bob, later)).toBe('accepted');
});

describe('Daml-LF 2.3, the version of contract keys', () => {
  it('can be uploaded, but not used (R-34-078)', async () => {
    expect(await upload(newer.house, newer.base)).toBe('accepted');
    const request = api.commands(create('#house:Main:House', { owner: alice, unit: null }), {
      actAs: alice,
    });
    const { status, body } = await api.post('/v2/commands/submit-and-wait', request);
    expect(status).toBe(400);
    expect(body.code).toBe('ALLOWED_LANGUAGE_VERSIONS');
    expect(body.cause).toMatch(
      /^Disallowed language version in package [0-9a-f]{64}: Expected version range is List\(2\.1, 2\.2\) but got 2\.3$/,
    );
    expect(await upload(newer.house, newer.base, later)).toBe('accepted');
    expect(await built('#house', bob, later)).toBe('accepted');
  });

  it('is rejected at the upload by a participant of 3.4 (R-34-077, R-34-079)', async () => {
    const old = createCanticle({ apiVersion: '3.4' });
    const send = async (...packages: readonly [EncodedPackage, ...EncodedPackage[]]) => {
      const { status, json } = await old.handle({ path: '/v2/dars', body: buildDar(...packages) });
      return [status, json()];
    };
    const reason = 'Unexpected NoSuchElementException Exception';
    expect(await send(newer.house, newer.base)).toEqual([
      400,
      expect.objectContaining({
        code: 'DAR_PARSE_ERROR',
        context: expect.objectContaining({ [reason.replaceAll(' ', '')]: reason }),
      }),
    ]);
    expect(await send(house, base)).toEqual([200, {}]);
  });

  it('is the version of TypeScript packages with a key only', async () => {
    const account = { owner: alice, number: 'one', readers: [] };
    const submitted = (command: object) =>
      api.refusal('/v2/commands/submit-and-wait', api.commands(command, { actAs: alice }));
    expect(await submitted(create(key('Account'), account))).toBe('ALLOWED_LANGUAGE_VERSIONS');
    const Plain = defineTemplate({
      name: 'Main:Plain',
      fields: { owner: d.party },
      signatories: ({ owner }) => [owner],
    });
    const plain = definePackage({ name: 'plain', version: '1.0.0', templates: [Plain] });
    addPackages(api.canticle.participant.engine, [plain]);
    expect(await submitted(create('#plain:Main:Plain', { owner: alice }))).toBe('accepted');
  });
});

describe('an external party', () => {
  const V3 = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' };
  const UNSUPPORTED =
    'Hashing scheme version V3 is not supported on protocol version 34. Minimum protocol version for hashing version V3: 35. Supported hashing version on protocol version 34: V2';
  const dummy = (operator: string) => create(model('Dummy'), { operator });

  it('hashes with version 2 only (B-INT-007, R-34-085)', async () => {
    const signer = await onboard(api, 'carol');
    const request = preparation(dummy(signer.party), signer.party);
    expect((await api.post(PREPARE, { ...request, ...V3 })).body).toMatchObject({
      code: 'FAILED_TO_PREPARE_TRANSACTION',
      cause: `The participant failed to prepare the transaction: ${UNSUPPORTED}`,
    });
    const prepared = await api.ok(PREPARE, request);
    expect((await api.post(EXECUTE_AND_WAIT, execution(prepared, signer, V3))).body).toMatchObject({
      code: 'FAILED_TO_EXECUTE_TRANSACTION',
      cause: `The participant failed to execute the transaction: ${UNSUPPORTED}`,
    });
    await api.ok(EXECUTE_AND_WAIT, execution(prepared, signer));
  });

  it('may provide more signatures than it has keys', async () => {
    for (const [at, status] of [
      [api, 200],
      [later, 400],
    ] as const) {
      const signer = await onboard(at, 'carol');
      const prepared = await at.ok(PREPARE, preparation(dummy(signer.party), signer.party));
      const request = execution(prepared, signer);
      const { signatures } = request.partySignatures.signatures[0]!;
      signatures.push({ ...signatures[0], signedBy: `1220${'0'.repeat(64)}` });
      expect((await at.post(EXECUTE_AND_WAIT, request)).status).toBe(status);
    }
  });

  it('fails to be sequenced after its max record time (R-34-087)', async () => {
    for (const [at, code] of [
      [api, 'NOT_SEQUENCED_TIMEOUT'],
      [later, 'LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED'],
    ] as const) {
      const signer = await onboard(at, 'carol');
      const maxRecordTime = '2026-01-01T00:10:00Z';
      const prepared = await at.ok(
        PREPARE,
        preparation(dummy(signer.party), signer.party, { maxRecordTime }),
      );
      at.canticle.advanceTime({ minutes: 11 });
      const { status, body } = await at.post(EXECUTE_AND_WAIT, execution(prepared, signer));
      expect([status, body.code]).toEqual([409, code]);
    }
  });
});
