/** The invariants of the token standard, on a registry of version 1 and on contracts of version 2. */
import { Numeric, some, type DamlRecord } from '../../../src/daml/index.js';
import { tokenStandard } from '../../../src/fuzzing/invariants/index.js';
import { CheckedLedger } from '../checked-ledger.js';
import { secondVersion, SECOND_APIS } from '../zoo/tokens-v2.js';
import { ALLOCATION_API, HOLDING_API, registry } from '../zoo/tokens.js';

const [ADMIN, BOB, CAROL] = ['Alice', 'Bob', 'Carol'] as const;
const decimal = (text: string) => Numeric.of(text, 10);
const allocation = (name: string) => `${ALLOCATION_API.id}:Splice.Api.Token.AllocationV1:${name}`;

const FREE = { lockedBy: null, until: 0n };

function market(bug?: Parameters<typeof registry>[0], isHolding = false) {
  const dependencies = [HOLDING_API, ALLOCATION_API];
  const main = registry(bug, true, isHolding);
  const ledger = new CheckedLedger(main, tokenStandard(), { dependencies });
  const token = (fields: DamlRecord = {}) =>
    ledger.create([ADMIN], 'Token', {
      admin: ADMIN,
      owner: BOB,
      amount: decimal('5.0'),
      ...FREE,
      ...fields,
    });
  /** An allocation of the token for Carol, who executes it. */
  const allocate = (id: string) => {
    ledger.submit([BOB], ledger.use('Token', id, 'Allocate', { receiver: CAROL, executor: CAROL }));
    return ledger.newest();
  };
  const end = (id: string, choice: string) =>
    ledger.submit([CAROL], ledger.use(allocation('Allocation'), id, `Allocation_${choice}`));
  return { ledger, token, allocate, end };
}

describe('token-supply', () => {
  it('reports an allocation that pays more than its amount', () => {
    const { ledger, token, allocate, end } = market('supply');
    end(allocate(token()), 'ExecuteTransfer');
    expect(ledger.findings).toMatchObject([
      {
        check: 'token-supply',
        place: 'Splice.Api.Token.AllocationV1:Allocation.Allocation_ExecuteTransfer creates',
        message:
          'Splice.Api.Token.AllocationV1:Allocation.Allocation_ExecuteTransfer creates 10 of Alice Coin.',
      },
    ]);
  });

  it('counts the amount of an allocation that is a holding itself once', () => {
    const faulty = market('supply', true);
    faulty.end(faulty.allocate(faulty.token()), 'ExecuteTransfer');
    expect(faulty.ledger.findings).toMatchObject([
      { check: 'token-supply', message: expect.stringContaining('creates 5 of Alice Coin') },
    ]);
    const fixed = market(undefined, true);
    fixed.end(fixed.allocate(fixed.token()), 'ExecuteTransfer');
    expect(fixed.ledger.findings).toEqual([]);
  });

  it('does not judge an allocation that a command created', () => {
    const { ledger, end } = market('supply');
    const fields = { admin: ADMIN, sender: BOB, receiver: CAROL, executor: CAROL };
    end(
      ledger.create([ADMIN], 'TokenAllocation', { ...fields, amount: decimal('5.0') }),
      'ExecuteTransfer',
    );
    expect(ledger.findings).toEqual([]);
  });

  it('accepts an allocation that pays or returns its amount', () => {
    const { ledger, token, allocate, end } = market();
    end(allocate(token()), 'ExecuteTransfer');
    end(allocate(token()), 'Cancel');
    expect(ledger.findings).toEqual([]);
  });
});

describe('token-amounts', () => {
  const part = (of: ReturnType<typeof market>, amount: string) => {
    const id = of.token();
    return of.ledger.submit([BOB], of.ledger.use('Token', id, 'Part', { part: decimal(amount) }));
  };

  it('reports holdings of no amount or less that a choice creates', () => {
    const faulty = market('amounts');
    part(faulty, '-1.0');
    part(faulty, '0.0');
    expect(faulty.ledger.findings.map(({ check, message }) => [check, message])).toEqual([
      ['token-amounts', 'A Main:Token has the amount -1.'],
      ['token-amounts', 'A Main:Token has the amount 0.'],
    ]);
  });

  it('accepts positive holdings, and does not judge those of a command', () => {
    const faulty = market('amounts');
    part(faulty, '1.0');
    faulty.token({ amount: decimal('-3.0') });
    expect(faulty.ledger.findings).toEqual([]);
  });
});

describe('token-locks', () => {
  const give = (
    { ledger }: ReturnType<typeof market>,
    id: string,
    actAs: readonly string[] = [BOB],
  ) => ledger.submit(actAs, ledger.use('Token', id, 'Give', { to: CAROL }));
  const locked = (of: ReturnType<typeof market>, until: bigint, holder: string = CAROL) => {
    const lock = of.ledger.use('Token', of.token(), 'Lock', { holder, until });
    of.ledger.submit([BOB, holder], lock);
    return of.ledger.newest();
  };

  it('reports a use before the end of a lock, without its holders', () => {
    const faulty = market('locks');
    give(faulty, locked(faulty, 5n));
    expect(faulty.ledger.findings).toMatchObject([
      {
        check: 'token-locks',
        place: 'Main:Token.Give',
        message: 'Main:Token.Give uses a locked holding without Carol.',
      },
    ]);
  });

  it('accepts a use at the end of the lock, or with its holders', () => {
    const faulty = market('locks');
    const [early, late] = [locked(faulty, 5n), locked(faulty, 6n)];
    faulty.ledger.step({ kind: 'advance', micros: 5n });
    give(faulty, early);
    expect(faulty.ledger.findings).toEqual([]);
    give(faulty, locked(faulty, 9n, BOB));
    expect(faulty.ledger.findings).toEqual([]);
    give(faulty, late);
    expect(faulty.ledger.findings).toHaveLength(1);
  });

  it('accepts that the choices of the standard end a transfer or an allocation that is a locked holding', () => {
    const { ledger, token, allocate, end } = market(undefined, true);
    end(allocate(token()), 'ExecuteTransfer');
    expect(ledger.findings).toEqual([]);
    const allocated = ledger.use('TokenAllocation', allocate(token()), 'Archive');
    ledger.submit([ADMIN], allocated);
    expect(ledger.findings).toEqual([]);
  });

  it('does not judge a lock that a command created', () => {
    const faulty = market('locks');
    give(faulty, faulty.token({ lockedBy: some(CAROL), until: 9n }));
    expect(faulty.ledger.findings).toEqual([]);
  });
});

describe('token-allocations', () => {
  it('reports a cancelled allocation without a holding for its amount', () => {
    const { ledger, token, allocate, end } = market('allocations');
    end(allocate(token()), 'Cancel');
    expect(ledger.summaries).toEqual([
      'token-allocations: Splice.Api.Token.AllocationV1:Allocation.Allocation_Cancel returns nothing',
    ]);
  });
});

describe('version 2', () => {
  const world = (endsIt: boolean) => {
    const ledger = new CheckedLedger(secondVersion(endsIt), tokenStandard(), {
      dependencies: SECOND_APIS,
    });
    const maker = ledger.create([ADMIN], 'Maker', { admin: ADMIN });
    const make = (amount: string, locked = false) => {
      const argument = { owner: BOB, keeper: CAROL, amount: decimal(amount), locked };
      ledger.submit([ADMIN], ledger.use('Maker', maker, 'Make', argument));
      return ledger.newest();
    };
    return { ledger, make, maker };
  };

  it('has holdings of accounts, whose amounts are positive', () => {
    const { ledger, make } = world(true);
    make('1.0');
    make('0.0');
    expect(ledger.findings.map(({ message }) => message)).toEqual([
      'A Main:Coin has the amount 0.',
    ]);
  });

  it('has locks that end a while after the creation', () => {
    const { ledger, make } = world(true);
    const [first, second] = [make('1.0', true), make('1.0', true)];
    const take = (id: string) => ledger.submit([BOB], ledger.use('Coin', id, 'Take'));
    take(first);
    expect(ledger.summaries).toEqual(['token-locks: Main:Coin.Take']);
    ledger.step({ kind: 'advance', micros: 10n });
    take(second);
    expect(ledger.findings).toHaveLength(1);
  });

  const PLACE = 'Splice.Api.Token.AllocationV2:Allocation.Allocation_Cancel';
  const cancelled = (endsIt: boolean, side: string, backing: 'none' | 'kept' | 'used') => {
    const { ledger, maker, make } = world(endsIt);
    const coin = make('1.0');
    if (backing === 'used') ledger.submit([BOB], ledger.use('Coin', coin, 'Take'));
    const argument = { side, backing: backing === 'none' ? [] : [coin] };
    ledger.submit([ADMIN], ledger.use('Maker', maker, 'Allocate', argument));
    ledger.submit([ADMIN], ledger.use(SECOND_ALLOCATION, ledger.newest(), 'Allocation_Cancel'));
    return ledger.findings.map(({ place }) => place);
  };

  it('has allocations that return what backs them', () => {
    expect(cancelled(true, 'SenderSide', 'used')).toEqual([`${PLACE} returns nothing`]);
    expect(cancelled(true, 'SenderSide', 'kept')).toEqual([]);
    expect(cancelled(true, 'SenderSide', 'none')).toEqual([]);
    expect(cancelled(true, 'ReceiverSide', 'used')).toEqual([]);
  });

  it('has allocations that end when they are cancelled', () => {
    expect(cancelled(false, 'ReceiverSide', 'none')).toEqual([PLACE]);
  });
});

const SECOND_ALLOCATION = `${SECOND_APIS[1]!.id}:Splice.Api.Token.AllocationV2:Allocation`;
