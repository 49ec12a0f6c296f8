/** Protocol version 36 of release 3.6: its hashing scheme, its language versions and its limits. */
import { createCanticle, type CanticleOptions } from 'canticle';
import {
  EXECUTE_FOR_TRANSACTION,
  execution,
  onboard,
  PREPARE,
  preparation,
} from '../../network/external/external-party.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { key, keysPackage } from '../../support/daml/keys-package.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { create, exercise } from '../../support/ledger-api.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';

const BASE = { apiVersion: '3.6', packages: [keysPackage] } as const;
const api = useLedgerApi({ ...BASE, protocolVersion: 36 });
const on35 = useLedgerApi({ ...BASE, protocolVersion: 35 });
const [alice] = useParties(api, 'alice');
const [bob] = useParties(on35, 'bob');

const V = (version: number) => ({ hashingSchemeVersion: `HASHING_SCHEME_VERSION_V${version}` });
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const iou = (owner: string) =>
  create(IOU, { issuer: owner, owner, currency: 'EUR', amount: '1.0', observers: [] });
const physicalId = (options: CanticleOptions) =>
  createCanticle(options).network.synchronizers[0]!.physicalId;

describe('the protocol versions of a release', () => {
  test.each<[CanticleOptions, string]>([
    [{ canton: '3.4' }, '::34-0'],
    [{}, '::35-0'],
    [{ protocolVersion: 34 }, '::34-0'],
    [{ canton: '3.6' }, '::35-0'],
    [{ canton: '3.6', protocolVersion: 34 }, '::34-0'],
    [{ canton: '3.6', protocolVersion: 36 }, '::36-0'],
  ])('%j has a synchronizer %s (R-36-061)', (options, end) => {
    expect(physicalId(options).endsWith(end)).toBe(true);
  });

  test.each<[CanticleOptions, string]>([
    [
      { canton: '3.4', protocolVersion: 35 },
      'release 3.4 on synchronizer global with protocol version 35. The release supports only 34',
    ],
    [
      { protocolVersion: 36 },
      'release 3.5 on synchronizer global with protocol version 36. The release supports only 34 and 35',
    ],
    [
      { synchronizers: ['one', { alias: 'two', protocolVersion: 36 }] },
      'release 3.5 on synchronizer two with protocol version 36',
    ],
  ])('%j is refused (R-36-061)', (options, why) => {
    expect(() => createCanticle(options)).toThrow(why);
  });

  it('does not matter on synchronizers that the participant is not connected to', () => {
    const synchronizers = ['one', { alias: 'two', protocolVersion: 36 as const }];
    const participants = [{ name: 'sandbox', synchronizers: ['one'] }];
    expect(() => createCanticle({ synchronizers, participants })).not.toThrow();
  });

  it('errors list them, and the version of developers', async () => {
    const { cause } = (
      await api.post('/v2/parties/external/allocate', {
        synchronizer: `${api.canticle.network.synchronizers[0]!.id}::37-0`,
        onboardingTransactions: [{ transaction: 'AA==' }],
      })
    ).body;
    expect(cause).toContain(
      'Protocol version 37 is not supported. The supported versions are 34, 35, 36, dev.',
    );
  });
});

describe('hashing scheme V4', () => {
  const prepared = (at: typeof api, party: string, version: number) =>
    at.post(PREPARE, preparation(iou(party), party, V(version)));

  it('needs protocol version 36 (R-36-062)', async () => {
    const { status, body } = await prepared(on35, bob, 4);
    expect([status, body.code]).toEqual([400, 'FAILED_TO_PREPARE_TRANSACTION']);
    expect(body.cause).toBe(
      'The participant failed to prepare the transaction: Hashing scheme version V4 is not supported on protocol version 35. ' +
        'Minimum protocol version for hashing version V4: 36. Supported hashing version on protocol version 35: V2, V3',
    );
  });

  it('signs a transaction, and no other scheme has the same hash', async () => {
    const dora = await onboard(api, 'dora');
    const command = iou(dora.party);
    const made = await api.ok(PREPARE, preparation(command, dora.party, V(4)));
    expect(made.hashingSchemeVersion).toBe('HASHING_SCHEME_VERSION_V4');
    const { transaction } = await api.ok(EXECUTE_FOR_TRANSACTION, execution(made, dora));
    const [{ CreatedEvent: created }] = transaction.events;
    const archive = exercise(IOU, created.contractId, 'Archive', {});
    const hashes = await Promise.all(
      [2, 3, 4].map(async (version) => {
        const one = await api.ok(
          PREPARE,
          preparation(archive, dora.party, { ...V(version), commandId: 'the-same' }),
        );
        return one.preparedTransactionHash;
      }),
    );
    expect(new Set(hashes).size).toBe(3);
    const last = await api.ok(PREPARE, preparation(archive, dora.party, V(4)));
    expect((await api.post(EXECUTE_FOR_TRANSACTION, execution(last, dora))).status).toBe(200);
  });

  it('is not the default: that is V2 (R-36-065)', async () => {
    const made = await api.ok(PREPARE, preparation(iou(alice), alice));
    expect(made.hashingSchemeVersion).toBe('HASHING_SCHEME_VERSION_V2');
  });

  it('is not needed for keys: errors name the oldest scheme that is enough (R-36-052)', async () => {
    const account = create(key('Account'), { owner: alice, number: 'one', readers: [] });
    const { body } = await api.post(PREPARE, preparation(account, alice, V(2)));
    expect(body.cause).toContain(
      'Cannot hash node with LF serialization version V2 using hashing scheme V2. Does the transaction use contract keys? Please use hashing scheme V3 or higher.',
    );
  });
});

it('contract ids have version 12 (R-36-071)', async () => {
  const { transaction } = await api.ok('/v2/commands/submit-and-wait-for-transaction', {
    commands: api.commands(iou(alice), { actAs: alice }),
  });
  expect(transaction.events[0].CreatedEvent.contractId).toMatch(/^00[0-9a-f]{64}ca1212/);
});

describe('Daml-LF 2.4', () => {
  const dar = buildDar(
    encodePackage({
      lf: '4',
      name: 'house',
      modules: {
        Main: {
          templates: {
            House: {
              fields: { owner: t.party },
              signatories: e.list(t.party, [e.field(t.con('Main:House'), 'owner', e.var('this'))]),
            },
          },
        },
      },
    }),
  );
  const built = (at: typeof api, owner: string) =>
    at.post(
      '/v2/commands/submit-and-wait',
      at.commands(create('#house:Main:House', { owner }), { actAs: owner }),
    );

  it('can be used on protocol version 36 (R-36-066, R-36-073)', async () => {
    expect(await api.refusal('/v2/dars', dar)).toBe('accepted');
    expect((await built(api, alice)).status).toBe(200);
  });

  it('cannot be used on protocol version 35 (R-36-066)', async () => {
    expect(await on35.refusal('/v2/dars', dar)).toBe('accepted');
    const { status, body } = await built(on35, bob);
    expect([status, body.code]).toEqual([400, 'ALLOWED_LANGUAGE_VERSIONS']);
    expect(body.cause).toMatch(
      /: Expected version range is List\(2\.1, 2\.2, 2\.3\) but got 2\.4$/,
    );
  });
});

describe('the most parties that a submission may act as', () => {
  const names = Array.from({ length: 1001 }, (_, index) => `crowd-${index}`);
  const acting = (at: typeof api, count: number) => {
    const actAs = names
      .slice(0, count)
      .map((name) => at.canticle.participant.allocateParty(`${name}-of-${count}`));
    return at.post('/v2/commands/submit-and-wait', at.commands(iou(actAs[0]!), { actAs }));
  };

  it('is 1000 on protocol version 36: a larger request times out (R-36-068)', async () => {
    expect((await acting(api, 1000)).status).toBe(200);
    const { status, body } = await acting(api, 1001);
    expect([status, body.code]).toEqual([409, 'LOCAL_VERDICT_TIMEOUT']);
  });

  it('is not limited before', async () => {
    expect((await acting(on35, 1001)).status).toBe(200);
  });
});
