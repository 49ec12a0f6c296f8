/** Commands against DARs: their types are known, and hold every command. */
import {
  create,
  createAndExercise,
  startLedgerApi,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import { AMULET_DAR } from '../../../support/splice/amulet-world.js';
import { foreignPath, skipsWithout } from '../../../support/foreign-files.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { encodePackage } from '../../../support/daml/lf-encoder.js';
import { t } from '../../../support/daml/lf-types.js';

let api: LedgerApi | undefined;
afterEach(async () => {
  await api?.client.close();
  api = undefined;
});

async function world(dar: Uint8Array | string) {
  api = await startLedgerApi({ dars: [dar] });
  const [alice] = await api.parties('alice');
  const outcome = (command: unknown) => api!.submitRefusal(command, { actAs: alice });
  return { alice: alice!, outcome };
}

describe('a command against a DAR', () => {
  const main = encodePackage({
    name: 'encoded',
    modules: {
      Main: {
        types: { Pay: { record: { amount: t.int64 } } },
        templates: {
          Asset: {
            fields: {
              owner: t.party,
              price: t.numeric(2),
              tags: t.list(t.text),
              note: t.optional(t.text),
            },
            choices: { Pay: { argument: t.con('Main:Pay'), returns: t.unit } },
          },
        },
      },
    },
  });
  const ASSET = '#encoded:Main:Asset';

  it('is checked against its types (B-CMD-031, B-ERR-014, B-ERR-015, B-VAL-009)', async () => {
    const { alice, outcome } = await world(buildDar(main));
    const asset = { owner: alice, price: '1.5', tags: ['a'] };
    expect(await outcome(create(ASSET, { owner: alice }))).toBe('COMMAND_PREPROCESSING_FAILED');
    expect(await outcome(create(ASSET, { ...asset, unknown: 1 }))).toBe('INVALID_ARGUMENT');
    expect(await outcome(create(ASSET, { ...asset, price: '1.555' }))).toBe(
      'COMMAND_PREPROCESSING_FAILED',
    );
    expect(await outcome(create(ASSET, { ...asset, tags: [1] }))).toBe('LEDGER_API_INTERNAL_ERROR');
    expect(await outcome(createAndExercise(ASSET, asset, 'Pay', { amount: 'x' }))).toBe(
      'INVALID_ARGUMENT',
    );
    expect(await outcome(createAndExercise(ASSET, asset, 'Pray'))).toBe('INVALID_ARGUMENT');
    expect(await outcome(create('#encoded:Main:Nothing', asset))).toBe(
      'TEMPLATES_OR_INTERFACES_NOT_FOUND',
    );
  });
});

describe('a command against a real DAR', () => {
  const AMULET = '#splice-amulet:Splice.Amulet:Amulet';
  if (skipsWithout('DARs', [AMULET_DAR], 'is held to its types')) return;

  it('is checked against its types', async () => {
    const { alice, outcome } = await world(foreignPath('DARs', AMULET_DAR));
    const amulet = {
      dso: alice,
      owner: alice,
      amount: { initialAmount: '1.0', createdAt: { number: '0' }, ratePerRound: { rate: '0.1' } },
    };
    const { amount } = amulet;
    expect(await outcome(create(AMULET, { ...amulet, owner: undefined }))).toBe(
      'COMMAND_PREPROCESSING_FAILED',
    );
    expect(
      await outcome(
        create(AMULET, { ...amulet, amount: { ...amount, createdAt: { number: 'x' } } }),
      ),
    ).toBe('INVALID_ARGUMENT');
    expect(
      await outcome(
        create(AMULET, { ...amulet, amount: { ...amount, initialAmount: '1.00000000001' } }),
      ),
    ).toBe('COMMAND_PREPROCESSING_FAILED');
    expect(await outcome(createAndExercise(AMULET, amulet, 'Amulet_Nothing'))).toBe(
      'INVALID_ARGUMENT',
    );
  });
});
