/** The preview of the traffic-purchase API: the contracts of a paymaster, which a buyer then exercises. */
import { Numeric, some, type ContractId, type Party } from '../../../../src/daml/index.js';
import { STABLE_PACKAGES } from '../../../../src/daml/index.js';
import { TOKEN_PACKAGES } from '../../../../src/token/index.js';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../../support/splice/splice-world.js';
import { ConversionRate, trafficModels, TrafficPurchaser, type Rate } from './traffic-models.js';

const BASE = '/registry/traffic-purchase/v1';
const PURCHASER = `${BASE}/traffic-purchaser`;

class Paymaster extends SpliceWorld {
  readonly paymaster: Party;
  readonly buyer: Party;

  constructor() {
    super({
      network: {
        synchronizers: TWO_SYNCHRONIZERS,
        packages: [...STABLE_PACKAGES, ...TOKEN_PACKAGES, trafficModels],
      },
      registryPreviews: ['traffic-purchase'],
    });
    this.paymaster = this.participant.allocateParty('paymaster');
    this.buyer = this.participant.allocateParty('buyer');
  }

  get amulet() {
    return { admin: this.splice.dsoParty, id: 'Amulet' };
  }

  sell(owner: Party | null = this.paymaster, paymaster = this.paymaster): ContractId {
    const paymasterAccount = { owner: owner && some(owner), provider: null, id: '' };
    return this.create([paymaster], TrafficPurchaser.id, { paymaster, paymasterAccount });
  }

  price(terms: Partial<Rate> = {}): ContractId {
    const rate: Rate = {
      paymaster: this.paymaster,
      instrumentId: this.amulet,
      conversionRate: Numeric.of('1048576'),
      expiresAt: null,
      maxTrafficPerPurchase: null,
      ...terms,
    };
    return this.create([rate.paymaster], ConversionRate.id, { ...rate });
  }

  rate({ admin, id }: { admin: string; id: string } = this.amulet) {
    const path = `${BASE}/conversion-rates/${encodeURIComponent(id)}`;
    return this.get<any>(`${path}?admin=${encodeURIComponent(admin)}`);
  }
}

test('returns the purchaser contract, the receiver of payments, and the disclosure (R-TP-001, R-TP-002)', async () => {
  const world = new Paymaster();
  const receiver = world.participant.allocateParty('treasury');
  const id = world.sell(receiver);
  expect((await world.get(PURCHASER)).body).toEqual({
    trafficPurchaserId: id,
    paymaster: world.paymaster,
    paymasterReceiver: receiver,
    disclosedContracts: [
      {
        templateId: TrafficPurchaser.id,
        contractId: id,
        createdEventBlob: expect.stringMatching(/^[\w+/]{100,}=*$/),
        synchronizerId: world.synchronizerId('global'),
      },
    ],
  });
});

test('returns a rate with its terms as the ledger writes them (R-TP-003, R-TP-004)', async () => {
  const world = new Paymaster();
  world.sell();
  const open = world.price();
  expect((await world.rate()).body).toEqual({
    conversionRateId: open,
    instrumentId: world.amulet,
    conversionRate: '1048576.0000000000',
    disclosedContracts: [expect.objectContaining({ contractId: open })],
  });
  const other = { admin: world.paymaster, id: 'Points/a b' };
  const limited = world.price({
    instrumentId: other,
    expiresAt: some(1_767_225_600_000_000n),
    maxTrafficPerPurchase: some(Numeric.of('5000')),
  });
  expect((await world.rate(other)).body).toMatchObject({
    conversionRateId: limited,
    instrumentId: other,
    expiresAt: '2026-01-01T00:00:00Z',
    maxTrafficPerPurchase: '5000.0000000000',
  });
});

test('a buyer, who sees neither contract, exercises both with the disclosures (R-TP-002)', async () => {
  const world = new Paymaster();
  world.sell();
  world.price();
  const { body: seller } = await world.get<any>(PURCHASER);
  const { body: rate } = await world.rate();
  const exercise = (disclosedContracts: unknown[]) =>
    world.post('/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        commandId: `buy-${disclosedContracts.length}`,
        userId: 'buyer',
        actAs: [world.buyer],
        disclosedContracts,
        commands: [
          {
            ExerciseCommand: {
              templateId: '#traffic-purchase-models:Tea.TrafficPurchase:TrafficPurchaser',
              contractId: seller.trafficPurchaserId,
              choice: 'TrafficPurchaser_PurchaseCredits',
              choiceArgument: { purchaser: world.buyer, conversionRateCid: rate.conversionRateId },
            },
          },
        ],
      },
      transactionFormat: {
        eventFormat: { filtersByParty: { [world.buyer]: {} }, verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    });
  expect((await exercise(seller.disclosedContracts)).status).toBe(404);
  const { body } = await exercise([...seller.disclosedContracts, ...rate.disclosedContracts]);
  expect(body.transaction.events[0].ExercisedEvent.exerciseResult).toBe('1048576.0000000000');
});

test('is 404 without a contract, and for another instrument (R-TP-005)', async () => {
  const world = new Paymaster();
  expect(await world.get(PURCHASER)).toEqual({
    status: 404,
    body: { error: 'No TrafficPurchaser found.' },
  });
  world.sell();
  world.price();
  for (const instrument of [
    { ...world.amulet, id: 'Other' },
    { ...world.amulet, admin: world.buyer },
  ])
    expect(await world.rate(instrument)).toEqual({
      status: 404,
      body: { error: `No ConversionRate for ${instrument.id} of ${instrument.admin} found.` },
    });
});

test('is 500 for several contracts, because no choice is right for all buyers (R-TP-006)', async () => {
  const world = new Paymaster();
  world.sell();
  const second = world.price();
  world.price();
  expect(await world.rate()).toEqual({
    status: 500,
    body: {
      error: `Found 2 contracts, but expected one ConversionRate for Amulet of ${world.amulet.admin}.`,
    },
  });
  world.exercise([world.paymaster], ConversionRate.id, second, 'Archive', {});
  expect((await world.rate()).status).toBe(200);
  world.sell();
  expect(await world.get(PURCHASER)).toEqual({
    status: 500,
    body: { error: 'Found 2 contracts, but expected one TrafficPurchaser.' },
  });
});

test('a rate of another paymaster counts only if none sells traffic', async () => {
  const world = new Paymaster();
  const other = world.price({ paymaster: world.buyer });
  expect((await world.rate()).body.conversionRateId).toBe(other);
  world.sell();
  expect((await world.rate()).status).toBe(404);
  const own = world.price();
  expect((await world.rate()).body.conversionRateId).toBe(own);
});

test('is 500 for an account without an owner (R-TP-007)', async () => {
  const world = new Paymaster();
  const id = world.sell(null);
  expect(await world.get(PURCHASER)).toEqual({
    status: 500,
    body: {
      error: `The account of TrafficPurchaser '${id}' has no owner, to which payments are transferred.`,
    },
  });
});

test('an expired rate is still served, and the ledger refuses it (R-TP-008)', async () => {
  const world = new Paymaster();
  const expired = world.price({ expiresAt: some(0n) });
  expect((await world.rate()).body.conversionRateId).toBe(expired);
});

test('is 404 while the contract is being reassigned', async () => {
  const world = new Paymaster();
  const id = world.sell();
  const reassignment = world.unassign(world.paymaster, [id]);
  expect((await world.get(PURCHASER)).status).toBe(404);
  world.assign(world.paymaster, reassignment);
  expect((await world.get<any>(PURCHASER)).body.disclosedContracts[0].synchronizerId).toBe(
    world.synchronizerId('app-synchronizer'),
  );
});

test('an instrument without its admin is 400, in the form of other errors (R-TP-009)', async () => {
  expect(await new Paymaster().get(`${BASE}/conversion-rates/Amulet`)).toEqual({
    status: 400,
    body: { error: "The query parameter 'admin' is missing." },
  });
});
