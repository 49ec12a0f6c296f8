/**
 * After random commands, a key finds the contracts that a small separate model predicts: the newest visible
 * contract first.
 */
import { createCanticle, type Canticle } from 'canticle';
import fc from 'fast-check';
import { key, keysPackage } from '../support/daml/keys-package.js';
import { check } from '../support/property.js';

const NAMES = ['alice', 'bob', 'carol'] as const;
type Name = (typeof NAMES)[number];
const NUMBERS = ['1', '2'] as const;

interface Modelled {
  readonly id: string;
  readonly owner: Name;
  readonly number: string;
  readonly readers: readonly Name[];
}

const name = fc.constantFrom(...NAMES);
const number = fc.constantFrom(...NUMBERS);
/** Selects one of the existing contracts. */
const which = fc.nat({ max: 50 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      owner: name,
      number,
      readers: fc.subarray([...NAMES]),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('archive' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('closeByKey' as const),
      owner: name,
      number,
      readAs: fc.subarray([...NAMES]),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revert' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class World {
  readonly canticle: Canticle;
  readonly parties: Readonly<Record<Name, string>>;
  private readonly clerks: Readonly<Record<Name, string>>;
  /** Newest activation first. */
  private contracts: readonly Modelled[] = [];
  private saved: { snapshot: string; contracts: readonly Modelled[] } | undefined;

  constructor() {
    this.canticle = createCanticle({
      seed: 1,
      packages: [keysPackage],
      synchronizers: [
        { alias: 'global', identifier: 'global-domain' },
        { alias: 'app', identifier: 'app' },
      ],
    });
    const { participant } = this.canticle;
    const of = (make: (each: Name) => string) =>
      Object.fromEntries(NAMES.map((each) => [each, make(each)])) as Record<Name, string>;
    this.parties = of((each) => participant.allocateParty(each));
    this.clerks = of((each) => {
      const owner = this.parties[each];
      return participant.create(key('Clerk'), { owner, delegate: owner }, { actAs: [owner] });
    });
  }

  run(step: Step): void {
    const { participant } = this.canticle;
    switch (step.kind) {
      case 'create': {
        const owner = this.parties[step.owner];
        const readers = step.readers.map((each) => this.parties[each]);
        const id = participant.create(
          key('Account'),
          { owner, number: step.number, readers },
          { actAs: [owner], synchronizer: 'global' },
        );
        this.contracts = [{ ...step, id }, ...this.contracts];
        break;
      }
      case 'archive': {
        const chosen = this.chosen(step.which);
        if (chosen === undefined) return;
        participant.archive(key('Account'), chosen.id, { actAs: [this.parties[chosen.owner]] });
        this.contracts = this.contracts.filter(({ id }) => id !== chosen.id);
        break;
      }
      case 'move': {
        const chosen = this.chosen(step.which);
        if (chosen === undefined) return;
        // Reassigned twice: it is then the newest activation.
        for (const to of ['app', 'global']) {
          const moved = participant.unassign(chosen.id, { to });
          expect(this.found(chosen.owner, chosen.number, NAMES)).not.toContain(chosen.id);
          participant.assign(moved);
        }
        this.contracts = [chosen, ...this.contracts.filter(({ id }) => id !== chosen.id)];
        break;
      }
      case 'closeByKey': {
        const { owner, number: at, readAs } = step;
        const before = this.expected(owner, at, readAs);
        const result = this.exercise(owner, 'CloseByKey', { key: this.keyOf(owner, at) }, readAs);
        if (before.length === 0) expect(result).toBe('CONTRACT_KEY_NOT_FOUND');
        else expect(result).toEqual([before, before.slice(1)]);
        this.contracts = this.contracts.filter(({ id }) => id !== before[0]);
        break;
      }
      case 'snapshot':
        this.saved = { snapshot: this.canticle.snapshot(), contracts: this.contracts };
        break;
      case 'revert':
        if (this.saved === undefined) return;
        this.canticle.revert(this.saved.snapshot);
        this.contracts = this.saved.contracts;
        break;
    }
  }

  checkAll(): void {
    for (const owner of NAMES)
      for (const at of NUMBERS)
        for (const readAs of [[], NAMES])
          expect(this.found(owner, at, readAs)).toEqual(this.expected(owner, at, readAs));
  }

  /** The contracts that the owner finds. The owner sees all its contracts, and reading as other parties adds none. */
  private found(owner: Name, at: string, readAs: readonly Name[]): unknown {
    const argument = { key: this.keyOf(owner, at), count: '100' };
    return this.exercise(owner, 'Query', argument, readAs);
  }

  private exercise(
    owner: Name,
    choice: string,
    argument: object,
    readAs: readonly Name[],
  ): unknown {
    const options = {
      actAs: [this.parties[owner]],
      readAs: readAs.map((each) => this.parties[each]),
    };
    try {
      const { participant } = this.canticle;
      return participant.exercise(key('Clerk'), this.clerks[owner], choice, argument, options)
        .result;
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  private keyOf(owner: Name, at: string) {
    return { _1: this.parties[owner], _2: at };
  }

  private chosen(which: number): Modelled | undefined {
    return this.contracts.length === 0 ? undefined : this.contracts[which % this.contracts.length];
  }

  private expected(owner: Name, at: string, readAs: readonly Name[]): string[] {
    const readers = new Set([owner, ...readAs]);
    return this.contracts
      .filter((each) => each.owner === owner && each.number === at)
      .filter((each) => [each.owner, ...each.readers].some((party) => readers.has(party)))
      .map(({ id }) => id);
  }
}

test('keys find the contracts that the model predicts, in the same order', () => {
  check(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const world = new World();
      for (const each of steps) world.run(each);
      world.checkAll();
    }),
    { numRuns: 25 },
  );
});
