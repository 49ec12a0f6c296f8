/** The built-in checks: failures, notes, and the places that tell findings apart. */
import { Numeric, type DamlRecord } from '../../../src/daml/index.js';
import { builtInChecks, selectChecks } from '../../../src/fuzzing/checks/checks.js';
import { MIN_ATTEMPTS } from '../../../src/fuzzing/checks/stuck.js';
import { reproduce } from '../../../src/fuzzing/emitting/reproduce.js';
import { bugKey, FuzzRun, replay } from '../../../src/fuzzing/running/fuzz-run.js';
import { CheckedLedger } from '../checked-ledger.js';
import * as authority from '../zoo/authority.js';
import * as crashes from '../zoo/crashes.js';
import * as lifecycle from '../zoo/lifecycle.js';
import {
  archived,
  assert,
  dividedBy,
  e,
  idOf,
  inSequence,
  isLess,
  make,
  renewed,
  t,
  typeOf,
  u,
  zooPackage,
} from '../zoo/notation.js';
import { ALLOCATION_API, HOLDING_API, registry } from '../zoo/tokens.js';
import { firstBug, zooOptions } from '../zoo/run.js';
import * as value from '../zoo/value.js';
import { ZOO } from '../zoo/zoo.js';

const [ALICE, BOB, CAROL] = ['Alice', 'Bob', 'Carol'] as const;
const named = (...names: string[]) =>
  builtInChecks().filter(({ name }) => names.length === 0 || names.includes(name));

describe('a selection of checks', () => {
  const names = () => builtInChecks().map(({ name }) => name);

  it('has names in one form, and a sentence for each', () => {
    expect(names().every((name) => /^[a-z]+(-[a-z]+)+$/.test(name))).toBe(true);
    expect(new Set(names()).size).toBe(names().length);
    for (const { summary } of builtInChecks()) expect(summary).toMatch(/^[A-Z].*\.$/);
  });

  it('leaves checks out', () => {
    const off = ['step-budget', 'failing-view'];
    const left = selectChecks(builtInChecks(), { off }).map(({ name }) => name);
    expect(left).toEqual(names().filter((name) => !off.includes(name)));
  });

  it.each(['off', 'failing'])('refuses an unknown name in %s', (option) => {
    expect(() => selectChecks(builtInChecks(), { [option]: ['nothing'] })).toThrow(
      `There is no check nothing. The checks are ${names().join(', ')}.`,
    );
  });

  it('turns the notes of a check into failures, at the end of the run, too', () => {
    const failing = ['delegated-authority', 'stuck-contract'];
    const checks = selectChecks(named(...failing), { failing });
    const role = new CheckedLedger(authority.selfPromotion(false), checks);
    const id = role.create([ALICE], 'Role', { operator: ALICE, member: BOB, isAdmin: false });
    role.submit([BOB], role.use('Role', id, 'Promote'));
    expect(role.summaries).toEqual(['delegated-authority: Main:Role.Promote → create Main:Role']);
    const agreed = new CheckedLedger(authority.withdrawnProposal(false), checks);
    agreed.create([ALICE, BOB], 'Agreement', { from: ALICE, to: BOB });
    agreed.end();
    expect(agreed.summaries).toEqual(['stuck-contract: Main:Agreement perhaps']);
  });
});

describe('a choice of strangers', () => {
  it('is a failure if it archives a contract of others', () => {
    const ledger = new CheckedLedger(authority.openClaim(false), named('anyone-may-exercise'));
    const prize = { sponsor: ALICE, winner: BOB };
    const id = ledger.create([ALICE], 'Prize', prize);
    ledger.submit([CAROL], ledger.use('Prize', id, 'Claim', { claimant: CAROL }));
    expect(ledger.findings).toMatchObject([
      {
        check: 'anyone-may-exercise',
        place: 'Main:Prize.Claim',
        choice: 'Claim',
        templateId: ledger.id('Prize'),
        message:
          'Carol exercises Main:Prize.Claim, and is not a stakeholder of the contract. It archives a Main:Prize of Alice.',
      },
    ]);
  });

  it('is not a finding for a stakeholder, and for a party that the contract names', () => {
    const ledger = new CheckedLedger(authority.openClaim(false), named('anyone-may-exercise'));
    const one = ledger.create([ALICE], 'Prize', { sponsor: ALICE, winner: BOB });
    ledger.submit([BOB], ledger.use('Prize', one, 'Claim', { claimant: BOB }));
    const hidden = new CheckedLedger(OPEN_SERVICE, named('anyone-may-exercise'));
    const service = hidden.create([ALICE], 'Service', { owner: ALICE, friend: BOB });
    hidden.submit([BOB], hidden.use('Service', service, 'End', { user: BOB }));
    expect([...ledger.findings, ...hidden.findings]).toEqual([]);
  });

  it('is not a finding if a stakeholder submits, too', () => {
    const ledger = new CheckedLedger(authority.openClaim(false), named('anyone-may-exercise'));
    const id = ledger.create([ALICE], 'Prize', { sponsor: ALICE, winner: BOB });
    const claim = ledger.use('Prize', id, 'Claim', { claimant: CAROL });
    ledger.submit([ALICE, CAROL], ledger.creation('Prize', { sponsor: ALICE, winner: BOB }), claim);
    expect(ledger.findings).toEqual([]);
  });

  it('is a note if it takes nothing', () => {
    const ledger = new CheckedLedger(OPEN_SERVICE, named('anyone-may-exercise'));
    const id = ledger.create([ALICE], 'Service', { owner: ALICE, friend: BOB });
    ledger.submit([CAROL], ledger.use('Service', id, 'Ask', { user: CAROL }));
    expect(ledger.summaries).toEqual(['note anyone-may-exercise: Main:Service.Ask as a service']);
  });

  it('is a note if it archives only what it created', () => {
    const ledger = new CheckedLedger(OPEN_SERVICE, named('anyone-may-exercise'));
    const id = ledger.create([ALICE], 'Service', { owner: ALICE, friend: BOB });
    ledger.submit([CAROL], ledger.use('Service', id, 'Flash', { user: CAROL }));
    expect(ledger.summaries).toEqual(['note anyone-may-exercise: Main:Service.Flash as a service']);
  });
});

/** Choices of any user: a question, a choice that archives the service, one that archives its own contract. */
const OPEN_SERVICE = zooPackage({
  templates: {
    Service: {
      fields: { owner: t.party, friend: t.party },
      signatories: ['owner'],
      choices: {
        Ask: { stays: true, args: { user: t.party }, by: ['.user'] },
        End: { args: { user: t.party }, by: ['.user'] },
        Flash: {
          stays: true,
          args: { user: t.party },
          by: ['.user'],
          does: ({ my }) =>
            inSequence(
              [
                'made',
                t.contractId(typeOf('Service')),
                make('Service', { owner: my('owner'), friend: my('friend') }),
              ],
              [
                '_',
                t.unit,
                u.exercise(
                  'Main:Service',
                  'Archive',
                  e.var('made'),
                  e.record(typeOf('Archive'), {}),
                ),
              ],
            ),
        },
      },
    },
  },
});

describe('delegated authority', () => {
  it('is a note with the path of the choices', () => {
    const ledger = new CheckedLedger(authority.mandate(false), named('delegated-authority'));
    const id = ledger.create([ALICE], 'Mandate', { client: ALICE, agent: BOB });
    const borrow = ledger.use('Mandate', id, 'Borrow', { creditor: CAROL, amount: 1n });
    ledger.submit([BOB], borrow);
    ledger.submit([BOB], borrow);
    expect(ledger.summaries).toEqual([
      'note delegated-authority: Main:Mandate.Borrow → create Main:Debt',
    ]);
    expect(ledger.findings[0]!.message).toBe(
      'Bob acts with the authority of Alice: Main:Mandate.Borrow → create Main:Debt.',
    );
  });

  it('is not a finding if the party submits, too', () => {
    const ledger = new CheckedLedger(authority.mandate(false), named('delegated-authority'));
    const id = ledger.create([ALICE], 'Mandate', { client: ALICE, agent: BOB });
    ledger.submit(
      [ALICE, BOB],
      ledger.use('Mandate', id, 'Borrow', { creditor: CAROL, amount: 1n }),
    );
    expect(ledger.findings).toEqual([]);
  });
});

describe('visibility', () => {
  it('notes a hidden contract that a result depends on', () => {
    const ledger = new CheckedLedger(authority.hiddenRate(false), named('needs-disclosure'));
    const rate = ledger.create([ALICE], 'Rate', { bank: ALICE, customers: [], percent: 3n });
    const loan = ledger.create([ALICE], 'Loan', { bank: ALICE, borrower: BOB });
    ledger.submit([BOB], ledger.use('Loan', loan, 'Charge', { rate }));
    ledger.submit([ALICE, BOB], ledger.use('Loan', loan, 'Charge', { rate }));
    expect(ledger.summaries).toEqual(['note needs-disclosure: Main:Loan.Charge needs Main:Rate']);
    expect(ledger.findings[0]!.message).toBe(
      'Main:Loan.Charge of Bob uses a Main:Rate that only Alice can see.',
    );
  });

  it('notes a payload that a choice shows to an audience', () => {
    const ledger = new CheckedLedger(lifecycle.divulgedBid(false), named('divulged-payload'));
    const bid = ledger.create([BOB], 'Bid', { bidder: BOB, auctioneer: ALICE, amount: 1n });
    const auction = { auctioneer: ALICE, audience: [CAROL] };
    const id = ledger.create([ALICE], 'Auction', auction);
    ledger.submit([ALICE], ledger.use('Auction', id, 'Inspect', { bid }));
    expect(ledger.summaries).toEqual([
      'note divulged-payload: Main:Auction.Inspect shows Main:Bid',
    ]);
    expect(ledger.findings[0]!.message).toMatch(/^Carol sees the payload of a Main:Bid/);
  });

  it('does not note what submitters disclose themselves', () => {
    const ledger = new CheckedLedger(authority.hiddenRate(false), named('divulged-payload'));
    const rate = ledger.create([ALICE], 'Rate', { bank: ALICE, customers: [], percent: 3n });
    const loan = ledger.create([ALICE], 'Loan', { bank: ALICE, borrower: BOB });
    ledger.submit([BOB], ledger.use('Loan', loan, 'Charge', { rate }));
    expect(ledger.findings).toEqual([]);
  });
});

describe('crashes', () => {
  const fund = (shares: bigint) => ({ manager: ALICE, investor: BOB, assets: 5n, shares });

  it('are failures with their input', () => {
    const ledger = new CheckedLedger(crashes.dividesByZero(false), named('arithmetic-error'));
    const id = ledger.create([ALICE], 'Fund', fund(0n));
    ledger.submit([BOB], ledger.use('Fund', id, 'Price'));
    expect(ledger.findings).toMatchObject([
      {
        place: 'Main:Fund.Price zero',
        assertion: { kind: 'noError', text: 'ArithmeticError' },
        message:
          'Main:Fund.Price crashes: ArithmeticError while evaluating (DIV_INT64 5 0). The input is Main:Fund.Price {}.',
      },
    ]);
    expect(ledger.findings[0]!.isNote).toBeUndefined();
  });

  it('are notes if the submitters signed all contracts', () => {
    const ledger = new CheckedLedger(crashes.dividesByZero(false), named('arithmetic-error'));
    const id = ledger.create([ALICE], 'Fund', fund(0n));
    ledger.submit([ALICE, BOB], ledger.use('Fund', id, 'Price'));
    expect(ledger.summaries).toEqual([
      'note arithmetic-error: Main:Fund.Price zero of its own contracts',
    ]);
  });

  it('are notes on contracts that signatories submit if the start state has contracts', () => {
    const main = crashes.dividesByZero(false);
    const before = new CheckedLedger(main, []);
    // The ids of contracts depend on the number of the step.
    for (let i = 0; i < 9; i++) before.step({ kind: 'advance', micros: 1n });
    const founded = before.create([ALICE], 'Fund', fund(0n));
    const start = { parties: [ALICE, BOB], contracts: [...before.ledger.active()], now: 0n };
    const ledger = new CheckedLedger(main, named('arithmetic-error'), { start });
    ledger.submit([ALICE], ledger.creation('Fund', fund(2n)));
    const planted = ledger.create([ALICE], 'Fund', fund(0n));
    ledger.submit([BOB], ledger.use('Fund', planted, 'Price'));
    ledger.submit([BOB], ledger.use('Fund', founded, 'Price'));
    expect(ledger.summaries).toEqual([
      'note arithmetic-error: Main:Fund.Price zero of its own contracts',
      'arithmetic-error: Main:Fund.Price zero',
    ]);
  });

  it('are notes in the payload of a command, with or without a choice', () => {
    const ledger = new CheckedLedger(FRAGILE, named('arithmetic-error'));
    const other = ledger.create([ALICE], 'Ratio', {
      owner: ALICE,
      reader: BOB,
      divisor: 1n,
      of: [],
    });
    const payload = { owner: BOB, reader: BOB, divisor: 0n, of: [other] };
    ledger.submit([BOB], ledger.creation('Ratio', payload));
    const [templateId, choice] = [ledger.id('Ratio'), 'Read'];
    ledger.submit([BOB], { kind: 'createAndExercise', templateId, payload, choice, argument: {} });
    expect(ledger.summaries).toEqual([
      'note arithmetic-error: Main:Ratio zero of its own contracts',
      'note arithmetic-error: Main:Ratio.Read zero of its own contracts',
    ]);
  });

  it('of a choice after a creation are failures if the payload names contracts of others', () => {
    const ledger = new CheckedLedger(FRAGILE, named('arithmetic-error'));
    const of = ledger.create([ALICE], 'Ratio', { owner: ALICE, reader: BOB, divisor: 1n, of: [] });
    const payload = { owner: BOB, reader: BOB, divisor: 5n, of: [of] };
    const [templateId, choice] = [ledger.id('Ratio'), 'Crash'];
    ledger.submit([BOB], { kind: 'createAndExercise', templateId, payload, choice, argument: {} });
    expect(ledger.summaries).toEqual(['arithmetic-error: Main:Ratio.Crash zero']);
  });

  it('count on contracts that a choice of another party creates', () => {
    const before = new CheckedLedger(DIVISORS, []);
    for (let i = 0; i < 9; i++) before.step({ kind: 'advance', micros: 1n });
    const maker = before.create([ALICE], 'Maker', { owner: ALICE, helper: BOB });
    const start = { parties: [ALICE, BOB], contracts: [...before.ledger.active()], now: 0n };
    const crash = (actAs: string) => {
      const ledger = new CheckedLedger(DIVISORS, named('arithmetic-error'), { start });
      ledger.submit([actAs], ledger.use('Maker', maker, 'Make', { by: actAs }));
      ledger.submit([BOB], ledger.use('Divisor', ledger.newest(), 'Divide'));
      return ledger.summaries;
    };
    expect(crash(ALICE)).toEqual([
      'note arithmetic-error: Main:Divisor.Divide zero of its own contracts',
    ]);
    expect(crash(BOB)).toEqual(['arithmetic-error: Main:Divisor.Divide zero']);
  });

  it('name the command of several that crashes', () => {
    const ledger = new CheckedLedger(crashes.emptyHead(false), named('partial-function'));
    const queue = (waiting: string[]) => ({ owner: ALICE, clerk: BOB, waiting });
    const full = ledger.create([ALICE], 'Queue', queue([CAROL]));
    const empty = ledger.create([ALICE], 'Queue', queue([]));
    const next = (id: string) => ledger.use('Queue', id, 'Next');
    ledger.submit([BOB], next(full), next(empty));
    ledger.submit([BOB], next(full));
    expect(ledger.findings).toMatchObject([
      {
        place: 'Main:Queue.Next partial',
        message: 'Main:Queue.Next crashes: head: empty list. The input is Main:Queue.Next {}.',
        assertion: { kind: 'noError', text: 'head: empty list' },
      },
    ]);
  });

  it('do not include refusals of the model', () => {
    const ledger = new CheckedLedger(authority.withdrawnProposal(true), named());
    const proposal = { from: ALICE, to: BOB, isOpen: false };
    const id = ledger.create([ALICE], 'Proposal', proposal);
    const { error } = ledger.submit([BOB], ledger.use('Proposal', id, 'Accept'));
    expect(error!.code).toBe('DAML_FAILURE');
    expect(ledger.findings).toEqual([]);
  });

  it('include overflow as a note', () => {
    const ledger = new CheckedLedger(OVERFLOW, named('arithmetic-error'));
    const id = ledger.create([ALICE], 'Meter', { owner: ALICE, reader: BOB });
    ledger.submit([BOB], ledger.use('Meter', id, 'Square', { of: 4_000_000_000n }));
    expect(ledger.summaries).toEqual(['note arithmetic-error: Main:Meter.Square overflow']);
  });
});

const DIVISORS = zooPackage({
  templates: {
    Divisor: {
      fields: { owner: t.party, helper: t.party },
      signatories: ['owner'],
      observers: ['helper'],
      choices: {
        Divide: {
          stays: true,
          by: ['helper'],
          returns: t.int64,
          does: () => u.pure(t.int64, dividedBy(e.int(1), e.int(0))),
        },
      },
    },
    Maker: {
      fields: { owner: t.party, helper: t.party },
      signatories: ['owner'],
      observers: ['helper'],
      choices: {
        Make: {
          stays: true,
          args: { by: t.party },
          by: ['.by'],
          returns: idOf('Divisor'),
          does: ({ my }) => make('Divisor', { owner: my('owner'), helper: my('helper') }),
        },
      },
    },
  },
});

/** Its `ensure` divides, and so does one of its choices. */
const FRAGILE = zooPackage({
  templates: {
    Ratio: {
      fields: {
        owner: t.party,
        reader: t.party,
        divisor: t.int64,
        of: t.list(idOf('Ratio')),
      },
      signatories: ['owner'],
      observers: ['reader'],
      ensure: ({ my }) => isLess(e.int(0), dividedBy(e.int(100), my('divisor'))),
      choices: {
        Read: { stays: true, by: ['reader'] },
        Crash: {
          stays: true,
          by: ['reader'],
          returns: t.int64,
          does: () => u.pure(t.int64, dividedBy(e.int(1), e.int(0))),
        },
      },
    },
  },
});

const OVERFLOW = zooPackage({
  templates: {
    Meter: {
      fields: { owner: t.party, reader: t.party },
      signatories: ['owner'],
      observers: ['reader'],
      choices: {
        Square: {
          stays: true,
          args: { of: t.int64 },
          by: ['reader'],
          returns: t.int64,
          does: ({ given }) =>
            u.pure(t.int64, e.call(e.builtin('MUL_INT64'), given('of'), given('of'))),
        },
      },
    },
  },
});

describe('a failing ensure', () => {
  it('is a failure of a choice without an argument', () => {
    const ledger = new CheckedLedger(crashes.failingEnsure(false), named('failing-ensure'));
    const id = ledger.create([ALICE], 'Lease', { landlord: ALICE, tenant: BOB, rent: 50n });
    ledger.submit([BOB], ledger.use('Lease', id, 'Discount'));
    expect(ledger.summaries).toEqual(['failing-ensure: Main:Lease.Discount creates Main:Lease']);
  });

  it('is a failure of a choice of an interface whose argument is a unit', () => {
    const dependencies = [HOLDING_API, ALLOCATION_API];
    const main = registry(undefined, false);
    const ledger = new CheckedLedger(main, named('failing-ensure'), { dependencies });
    const parties = { admin: ALICE, sender: BOB, receiver: BOB, executor: BOB };
    const amount = Numeric.of('0', 10);
    const id = ledger.create([ALICE], 'TokenAllocation', { ...parties, amount });
    const allocation = `${ALLOCATION_API.id}:Splice.Api.Token.AllocationV1:Allocation`;
    ledger.submit([BOB], ledger.use(allocation, id, 'Allocation_Cancel'));
    expect(ledger.summaries).toEqual([
      'failing-ensure: Splice.Api.Token.AllocationV1:Allocation.Allocation_Cancel creates Main:Token',
    ]);
  });

  it('is a note with an argument, and with own contracts', () => {
    const ledger = new CheckedLedger(REFUSING, named('failing-ensure'));
    const id = ledger.create([ALICE], 'Lease', { landlord: ALICE, tenant: BOB, rent: 50n });
    ledger.submit([BOB], ledger.use('Lease', id, 'SetRent', { rent: -1n }));
    ledger.submit([ALICE], ledger.use('Lease', id, 'Void'));
    expect(ledger.summaries).toEqual([
      'note failing-ensure: Main:Lease.SetRent creates Main:Lease',
      'note failing-ensure: Main:Lease.Void creates Main:Lease of its own contracts',
    ]);
  });

  it('is not a finding for the payload of a command', () => {
    const ledger = new CheckedLedger(crashes.failingEnsure(false), named('failing-ensure'));
    const payload = { landlord: ALICE, tenant: BOB, rent: -5n };
    ledger.submit([ALICE], ledger.creation('Lease', payload));
    const templateId = ledger.id('Lease');
    const choice = 'Discount';
    ledger.submit([ALICE, BOB], {
      kind: 'createAndExercise',
      templateId,
      payload,
      choice,
      argument: {},
    });
    expect(ledger.findings).toEqual([]);
  });
});

const REFUSING = zooPackage({
  templates: {
    Lease: {
      fields: { landlord: t.party, tenant: t.party, rent: t.int64 },
      signatories: ['landlord'],
      observers: ['tenant'],
      ensure: ({ my }) => isLess(e.int(0), my('rent')),
      choices: {
        SetRent: {
          args: { rent: t.int64 },
          by: ['tenant'],
          returns: idOf('Lease'),
          does: ({ given }) => renewed('Lease', { rent: given('rent') }),
        },
        Void: {
          by: ['landlord'],
          returns: idOf('Lease'),
          does: () => renewed('Lease', { rent: e.int(0) }),
        },
      },
    },
  },
});

describe('racing commands', () => {
  it('that both gain from one contract are a note', () => {
    const ledger = new CheckedLedger(value.lastingVoucher(false), named('double-spending'));
    const id = ledger.create([ALICE], 'Voucher', { issuer: ALICE, holder: BOB, amount: 1n });
    const redeem = ledger.use('Voucher', id, 'Redeem');
    expect(ledger.race([BOB], redeem, redeem).every(({ error }) => error === undefined)).toBe(true);
    expect(ledger.summaries).toEqual(['note double-spending: Main:Voucher.Redeem']);
    ledger.race([ALICE, BOB], redeem, redeem);
    expect(ledger.findings).toHaveLength(1);
  });

  it('of which one is rejected are not a finding', () => {
    const ledger = new CheckedLedger(value.lastingVoucher(true), named('double-spending'));
    const id = ledger.create([ALICE], 'Voucher', { issuer: ALICE, holder: BOB, amount: 1n });
    const redeem = ledger.use('Voucher', id, 'Redeem');
    ledger.race([BOB], redeem, redeem);
    expect(ledger.findings).toEqual([]);
  });
});

describe('budgets', () => {
  const longLoop = (steps: number) => {
    const ledger = new CheckedLedger(
      crashes.longLoop(false),
      builtInChecks({ steps }).filter(({ name }) => name === 'step-budget'),
    );
    const id = ledger.create([ALICE], 'Calculator', { owner: ALICE, users: [] });
    const { work } = ledger.submit([ALICE], ledger.use('Calculator', id, 'Run', { rounds: 50n }));
    return { work, summaries: ledger.summaries };
  };

  it('count the steps of a submission, at the budget and beyond', () => {
    const { work } = longLoop(1_000_000);
    expect(longLoop(work).summaries).toEqual([]);
    expect(longLoop(work - 1).summaries).toEqual(['step-budget: Main:Calculator.Run']);
  });

  it('count the bytes of values, at the default budget and beyond', () => {
    const size = 1_000_000;
    const summaries = (bytes: number) => {
      const ledger = new CheckedLedger(NOTES, named('traffic-budget'));
      const note = ledger.creation('Note', { owner: ALICE, text: 'x'.repeat(bytes / 10 - 9) });
      const last = ledger.creation('Note', { owner: ALICE, text: 'x'.repeat(bytes / 10 - 8) });
      ledger.submit([ALICE], ...Array.from({ length: 9 }, () => note), bytes > size ? last : note);
      return ledger.summaries;
    };
    expect(summaries(size)).toEqual([]);
    expect(summaries(size + 1)).toHaveLength(1);
  });
});

const NOTES = zooPackage({
  templates: {
    Note: {
      fields: { owner: t.party, text: t.text },
      signatories: ['owner'],
      choices: {
        Say: {
          stays: true,
          args: { text: t.text },
          by: ['owner'],
          returns: t.text,
          does: ({ given }) => u.pure(t.text, given('text')),
        },
      },
    },
  },
});

it('counts the bytes of arguments and results', () => {
  const ledger = new CheckedLedger(NOTES, named('traffic-budget'));
  const id = ledger.create([ALICE], 'Note', { owner: ALICE, text: '' });
  const say = (text: string) => ledger.use('Note', id, 'Say', { text });
  const many = (text: string) => Array.from({ length: 10 }, () => say(text));
  ledger.submit([ALICE], ...many('x'.repeat(49_900)));
  expect(ledger.findings).toEqual([]);
  ledger.submit([ALICE], ...many('x'.repeat(50_100)));
  expect(ledger.summaries).toEqual([
    `traffic-budget: ${Array.from({ length: 10 }, () => 'Main:Note.Say').join(', ')}`,
  ]);
});

describe('interface views', () => {
  it('that fail are failures of a choice, and notes if all signatories submit', () => {
    const ledger = new CheckedLedger(crashes.failingView(false), named('failing-view'));
    const counter = ledger.create([ALICE], 'Counter', { sender: ALICE, clerk: BOB });
    ledger.submit([BOB], ledger.use('Counter', counter, 'Pack', { labels: ['a'] }));
    ledger.submit([BOB], ledger.use('Counter', counter, 'Pack', { labels: [] }));
    ledger.submit([ALICE], ledger.creation('Parcel', { sender: ALICE, labels: [] }));
    expect(ledger.summaries).toEqual([
      'failing-view: Main:Parcel as Main:Named',
      'note failing-view: Main:Parcel as Main:Named by its signatories',
    ]);
    expect(ledger.findings[0]!.message).toContain('head: empty list');
  });
});

const refuse = () => inSequence(assert(e.false, 'it is locked'));
const LOCKED = zooPackage({
  templates: {
    Safe: {
      fields: { one: t.party, other: t.party },
      signatories: ['one', 'other'],
      choices: { Open: { by: ['one'], does: refuse } },
    },
    Vault: {
      fields: { one: t.party, other: t.party },
      signatories: ['one', 'other'],
      choices: { Prove: { args: { proofs: t.list(idOf('Safe')) }, by: ['one'], does: refuse } },
    },
    Chest: {
      fields: { one: t.party, other: t.party },
      signatories: ['one', 'other'],
      choices: {
        Say: {
          args: { words: t.list(t.text), age: t.optional(t.int64) },
          by: ['one'],
          does: refuse,
        },
      },
    },
    Key: {
      fields: { one: t.party, other: t.party },
      signatories: ['one', 'other'],
      choices: {
        Break: {
          args: { safe: idOf('Safe') },
          by: ['one'],
          does: ({ given }) => inSequence(archived('Safe', given('safe'))),
        },
      },
    },
  },
});

describe('stuck contracts', () => {
  const escrow = { buyer: ALICE, seller: BOB, phase: 0n };
  const attempts = (count: number) => {
    const ledger = new CheckedLedger(lifecycle.stuckEscrow(false), named('stuck-contract'));
    const id = ledger.create([ALICE, BOB], 'Escrow', escrow);
    ledger.submit([ALICE], ledger.use('Escrow', id, 'Advance'));
    for (let i = 0; i < count; i++) ledger.submit([BOB], ledger.use('Escrow', id, 'Advance'));
    ledger.end();
    return ledger;
  };

  it('are reported after enough attempts of their controllers', () => {
    expect(MIN_ATTEMPTS).toBe(100);
    expect(attempts(MIN_ATTEMPTS).summaries).toEqual(['stuck-contract: Main:Escrow']);
    expect(attempts(MIN_ATTEMPTS).findings[0]!.message).toBe(
      `No Main:Escrow was ended by a choice (Advance, Release) in ${MIN_ATTEMPTS} attempts.`,
    );
    expect(attempts(MIN_ATTEMPTS - 1).summaries).toEqual([]);
  });

  it('are not stuck if one was ended by a choice, but may be if all signatories archived one', () => {
    const ledger = new CheckedLedger(lifecycle.stuckEscrow(true), named('stuck-contract'));
    const id = ledger.create([ALICE, BOB], 'Escrow', escrow);
    ledger.submit([ALICE, BOB], ledger.use('Escrow', id, 'Archive'));
    const next = ledger.create([ALICE, BOB], 'Escrow', escrow);
    for (let i = 0; i < MIN_ATTEMPTS; i++)
      ledger.submit([ALICE], ledger.use('Escrow', next, 'Release'));
    expect(ledger.end()).toHaveLength(1);
    const other = new CheckedLedger(lifecycle.stuckEscrow(true), named('stuck-contract'));
    const third = other.create([ALICE, BOB], 'Escrow', escrow);
    for (let i = 0; i < MIN_ATTEMPTS; i++)
      other.submit([ALICE], other.use('Escrow', third, 'Release'));
    other.submit([BOB], other.use('Escrow', third, 'Advance'));
    expect(other.end()).toEqual([]);
  });

  it('have the steps of a sequence that tries each choice', () => {
    const { options, bug } = firstBug(ZOO.find(({ name }) => name === 'stuck-escrow')!);
    const { steps } = reproduce(bug, { ...options, dars: [], origin: { kind: 'parties' } });
    const [creation, ...attempts] = steps.flatMap((step) =>
      step.kind === 'submit' ? step.submission.commands : [],
    );
    expect(creation).toMatchObject({ kind: 'create', payload: { phase: 0n } });
    expect(attempts.map((each) => 'choice' in each && each.choice).sort()).toEqual([
      'Advance',
      'Release',
    ]);
    const of = (some: typeof steps) =>
      replay(options.packages, options.start, some, options.checks).map(({ place }) => place);
    expect(of(steps)).toEqual(['Main:Escrow']);
    for (const place of steps.keys()) expect(of(steps.toSpliced(place, 1))).toEqual([]);
  });

  it('are refuted by a run that ends one, and by no other', () => {
    const refuted = (fixed: boolean) => {
      const row = ZOO.find(({ name }) => name === 'stuck-escrow')!;
      const run = new FuzzRun(zooOptions(row, fixed));
      for (let count = 0; count < 10; count++) run.next();
      return run.refuted();
    };
    expect(refuted(true)).toEqual([bugKey({ check: 'stuck-contract', place: 'Main:Escrow' })]);
    expect(refuted(false)).toEqual([]);
  });

  it('are a note if the choices need other contracts', () => {
    const places = (choice: string) => {
      const ledger = new CheckedLedger(LOCKED, named('stuck-contract'));
      const template = choice === 'Prove' ? 'Vault' : 'Chest';
      const id = ledger.create([ALICE, BOB], template, { one: ALICE, other: BOB });
      const argument: DamlRecord = choice === 'Prove' ? { proofs: [] } : { words: [], age: null };
      for (let i = 0; i < MIN_ATTEMPTS; i++)
        ledger.submit([ALICE], ledger.use(template, id, choice, argument));
      ledger.end();
      return ledger.summaries;
    };
    expect(places('Prove')).toEqual(['note stuck-contract: Main:Vault perhaps']);
    expect(places('Say')).toEqual(['stuck-contract: Main:Chest']);
  });

  it('are not stuck if a choice of another contract archives them', () => {
    const ledger = new CheckedLedger(LOCKED, named('stuck-contract'));
    const id = ledger.create([ALICE, BOB], 'Safe', { one: ALICE, other: BOB });
    const key = ledger.create([ALICE, BOB], 'Key', { one: ALICE, other: BOB });
    ledger.submit([ALICE], ledger.use('Key', key, 'Break', { safe: id }));
    for (let i = 0; i < MIN_ATTEMPTS; i++) ledger.submit([ALICE], ledger.use('Safe', id, 'Open'));
    ledger.end();
    expect(ledger.summaries).toEqual([]);
  });

  it('are a failure with one choice, too, after as many attempts', () => {
    const tried = (count: number) => {
      const ledger = new CheckedLedger(LOCKED, named('stuck-contract'));
      const id = ledger.create([ALICE, BOB], 'Safe', { one: ALICE, other: BOB });
      for (let i = 0; i < count; i++) ledger.submit([ALICE], ledger.use('Safe', id, 'Open'));
      ledger.end();
      return ledger.summaries;
    };
    expect(tried(MIN_ATTEMPTS)).toEqual(['stuck-contract: Main:Safe']);
    expect(tried(MIN_ATTEMPTS - 1)).toEqual([]);
  });

  it('have the steps that create one, without choices', () => {
    const ledger = new CheckedLedger(authority.withdrawnProposal(false), named('stuck-contract'));
    ledger.create([ALICE], 'Proposal', { from: ALICE, to: BOB, isOpen: true });
    ledger.create([ALICE, BOB], 'Agreement', { from: ALICE, to: BOB });
    ledger.create([ALICE, BOB], 'Agreement', { from: ALICE, to: BOB });
    const found = ledger.checks.flatMap((each) => [...(each.atEndOfRun?.() ?? [])]);
    expect(found).toHaveLength(1);
    expect(found[0]!.steps.map(({ number }) => number)).toEqual([0, 1]);
  });

  it('have no steps if no sequence tries each choice', () => {
    const ledger = new CheckedLedger(lifecycle.stuckEscrow(false), named('stuck-contract'));
    const id = ledger.create([ALICE, BOB], 'Escrow', escrow);
    const advance = () => ledger.submit([BOB], ledger.use('Escrow', id, 'Advance'));
    for (let i = 0; i < MIN_ATTEMPTS; i++) advance();
    const steps = () =>
      ledger.checks.flatMap((each) => [...(each.atEndOfRun?.() ?? [])]).map((each) => each.steps);
    expect(steps()).toEqual([[]]);
    ledger.submit([ALICE], ledger.use('Escrow', id, 'Release'));
    expect(steps()[0]).toHaveLength(MIN_ATTEMPTS + 2);
    advance();
    expect(steps()[0]).toHaveLength(MIN_ATTEMPTS + 2);
  });

  it('are a note without choices, and no finding with one signatory', () => {
    const ledger = new CheckedLedger(authority.withdrawnProposal(false), named('stuck-contract'));
    ledger.create([ALICE, BOB], 'Agreement', { from: ALICE, to: BOB });
    ledger.create([ALICE], 'Proposal', { from: ALICE, to: BOB, isOpen: true });
    ledger.end();
    expect(ledger.summaries).toEqual(['note stuck-contract: Main:Agreement perhaps']);
  });
});
