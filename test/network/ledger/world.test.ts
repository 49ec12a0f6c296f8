/**
 * Invariants: the test runs random commands on two participants and two synchronizers, then compares the answers of the API with
 * each other.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { createCanticle, LedgerError, type Canticle, type ParticipantView } from 'canticle';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { check, isUsualRun } from '../../support/property.js';

interface Step {
  readonly action:
    | 'create'
    | 'watch'
    | 'clone'
    | 'archive'
    | 'flash'
    | 'unassign'
    | 'assign'
    | 'wait';
  /** Chooses parties, contracts and synchronizers, whatever there is. */
  readonly pick: number;
  readonly other: number;
}

const steps = fc.array(
  fc.record<Step>({
    action: fc.constantFrom(
      'create',
      'watch',
      'clone',
      'archive',
      'flash',
      'wait',
      // So often that contracts move more than once.
      ...(['unassign', 'unassign', 'unassign', 'assign', 'assign', 'assign'] as const),
    ),
    pick: fc.nat(999),
    other: fc.nat(999),
  }),
  { maxLength: 25, size: 'max' },
);

const ALIASES = ['global', 'app'];

class World {
  readonly canticle: Canticle = createCanticle({
    seed: 3,
    packages: [modelPackage],
    participants: [{ name: 'one' }, { name: 'two' }],
    synchronizers: [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }],
  });
  readonly hosts: ReadonlyMap<string, ParticipantView>;
  readonly parties: readonly string[];
  readonly stranger: string;
  /** Reassignment ids, by which steps find what is to be assigned. */
  private inFlight: readonly string[] = [];

  constructor() {
    const [one, two] = this.canticle.participants as [ParticipantView, ParticipantView];
    this.hosts = new Map([
      [one.allocateParty('alice'), one],
      [one.allocateParty('bob'), one],
      [two.allocateParty('carol'), two],
    ]);
    this.parties = [...this.hosts.keys()];
    this.stranger = two.allocateParty('stranger');
  }

  run(list: readonly Step[]): void {
    for (const step of list)
      try {
        this.act(step);
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error;
      }
  }

  private act({ action, pick, other }: Step): void {
    const party = this.parties[pick % this.parties.length]!;
    const peer = this.parties[other % this.parties.length]!;
    const host = this.hosts.get(party)!;
    const options = { actAs: [party], synchronizer: ALIASES[other % 2] };
    const own = host.activeContracts({ party });
    const contract = own[other % Math.max(own.length, 1)];
    const template = contract && `${contract.templateId}`;
    switch (action) {
      case 'create':
        host.create(model('Dummy'), { operator: party }, options);
        break;
      case 'watch':
        host.create(model('WithObservers'), { giver: party, observers: [peer] }, options);
        break;
      case 'clone':
      case 'flash':
        if (contract)
          host.exercise(
            model('Dummy'),
            contract.contractId,
            action === 'clone' ? 'Clone' : 'Flash',
            {},
            { actAs: [party] },
          );
        break;
      case 'archive':
        if (contract) host.archive(template!, contract.contractId, { actAs: [party] });
        break;
      case 'unassign':
        if (contract)
          this.inFlight = [
            ...this.inFlight,
            host.unassign(contract.contractId, { to: ALIASES[pick % 2]!, submitter: party }),
          ];
        break;
      case 'assign': {
        const id = this.inFlight[pick % Math.max(this.inFlight.length, 1)];
        if (id === undefined) break;
        // Mostly whose turn it is.
        const submitter = other % 4 === 0 ? peer : this.unassigner(id);
        this.hosts.get(submitter)!.assign(id, { submitter });
        break;
      }
      case 'wait':
        this.canticle.advanceTime({ seconds: other });
    }
  }

  private unassigner(id: string): string {
    const { contracts } = this.canticle.network;
    return contracts.reassignment(id)!.unassigned.events[0]!.submitter;
  }

  /** The reassignments in flight that the test itself tracks; an argument replaces them. */
  moving(inFlight = this.inFlight): readonly string[] {
    return (this.inFlight = inFlight);
  }

  private async post(path: string, body: unknown): Promise<any> {
    return (await this.canticle.handle({ path, body })).json();
  }

  /** Everything that the API tells, as each party and as anyone. */
  async answers(): Promise<unknown[]> {
    const end = this.canticle.participant.ledgerEnd;
    const answers: unknown[] = [];
    for (const format of [
      { filtersForAnyParty: {} },
      ...this.parties.map((party) => ({ filtersByParty: { [party]: {} } })),
    ]) {
      answers.push(
        await this.updates(format, 'LEDGER_EFFECTS'),
        await this.updates(format, 'ACS_DELTA'),
      );
      answers.push(
        await this.post('/v2/state/active-contracts', { eventFormat: format, activeAtOffset: end }),
      );
    }
    return answers;
  }

  async updates(eventFormat: object, shape: string) {
    const end = this.canticle.participant.ledgerEnd;
    const transactions = { eventFormat, transactionShape: `TRANSACTION_SHAPE_${shape}` };
    return this.post('/v2/updates?limit=200', {
      beginExclusive: 0,
      endInclusive: end,
      updateFormat: { includeTransactions: transactions, includeReassignments: eventFormat },
    });
  }

  async active(eventFormat: object, activeAtOffset: number): Promise<Map<string, string>> {
    const entries = await this.post('/v2/state/active-contracts', { eventFormat, activeAtOffset });
    const places = new Map<string, string>();
    for (const { contractEntry } of entries) {
      if (!contractEntry.JsActiveContract) continue;
      const { createdEvent, synchronizerId, reassignmentCounter } = contractEntry.JsActiveContract;
      places.set(createdEvent.contractId, `${synchronizerId} ${reassignmentCounter}`);
    }
    return places;
  }
}

/** The active contracts that a list of updates leaves behind. */

function fold(updates: readonly any[], offset: number): Map<string, string> {
  const active = new Map<string, string>();
  for (const { update } of updates) {
    const { value } = update.Transaction ?? update.Reassignment;
    if (value.offset > offset) break;
    for (const event of value.events)
      if (event.CreatedEvent)
        active.set(event.CreatedEvent.contractId, `${value.synchronizerId} 0`);
      else if (event.ArchivedEvent) active.delete(event.ArchivedEvent.contractId);
      else if (event.JsUnassignedEvent) active.delete(event.JsUnassignedEvent.value.contractId);
      else {
        const { createdEvent, target, reassignmentCounter } = event.JsAssignmentEvent;
        active.set(createdEvent.contractId, `${target} ${reassignmentCounter}`);
      }
  }
  return active;
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

const holds = (property: (list: readonly Step[]) => Promise<void>, numRuns = 25) =>
  check(fc.asyncProperty(steps, property), { numRuns });

it('offsets have no gaps, record times increase, and counters increase and match on both halves', async () => {
  let furthest = 0;
  await holds(async (list) => {
    const { canticle } = run(list);
    const last = new Map<string, bigint>();
    /** By contract: the counter of its latest move, and of which reassignment, while it is under way. */
    const moves = new Map<string, { counter: number; underWay: string | undefined }>();
    for (let index = 0; index < canticle.network.updates.length; index++) {
      const update = canticle.network.updates.at(index)!;
      expect(update.recordTime > (last.get(update.synchronizerId) ?? -1n)).toBe(true);
      last.set(update.synchronizerId, update.recordTime);
      if (update.kind !== 'reassignment') continue;
      for (const { kind, contract, reassignmentId, reassignmentCounter } of update.events) {
        const before = moves.get(contract.contractId) ?? { counter: 0, underWay: undefined };
        const isLeaving = kind === 'unassigned';
        expect(before.underWay).toBe(isLeaving ? undefined : reassignmentId);
        expect(reassignmentCounter).toBe(before.counter + (isLeaving ? 1 : 0));
        moves.set(contract.contractId, {
          counter: reassignmentCounter,
          underWay: isLeaving ? reassignmentId : undefined,
        });
        furthest = Math.max(furthest, reassignmentCounter);
      }
    }
    for (const { engine } of canticle.participants)
      expect([...engine.log.between(0, engine.log.end)].map(({ offset }) => offset)).toEqual(
        Array.from({ length: engine.log.end }, (_, position) => position + 1),
      );
  });
  if (isUsualRun) expect(furthest).toBeGreaterThan(1);
});

it('the active contracts at each offset follow from the updates up to it', () =>
  holds(async (list) => {
    const world = run(list);
    const [party] = world.parties;
    for (const format of [{ filtersForAnyParty: {} }, { filtersByParty: { [party!]: {} } }]) {
      const updates = await world.updates(format, 'ACS_DELTA');
      for (let offset = 0; offset <= world.canticle.participant.ledgerEnd; offset++)
        expect(await world.active(format, offset)).toEqual(fold(updates, offset));
    }
  }, 15));

it('a revert restores all answers, and the same steps then have the same answers', () =>
  holds(async (list) => {
    const world = new World();
    const half = Math.floor(list.length / 2);
    world.run(list.slice(0, half));
    const before = await world.answers();
    const snapshot = world.canticle.snapshot();
    const moving = world.moving();
    world.run(list.slice(half));
    const after = await world.answers();
    world.canticle.revert(snapshot);
    expect(await world.answers()).toEqual(before);
    world.moving(moving);
    world.run(list.slice(half));
    expect(await world.answers()).toEqual(after);
  }));

it('the same seed and steps produce the same bytes', () =>
  holds(async (list) => {
    expect(hashOf(await run(list).answers())).toBe(hashOf(await run(list).answers()));
  }, 10));

it('a party that is not a stakeholder sees no events', () =>
  holds(async (list) => {
    const world = run(list);
    const { engine } = world.hosts.get(world.parties[2]!)!;
    const seen = [...engine.log.witnessedBy([world.stranger], 0, engine.log.end)];
    expect(seen.every(({ update }) => update?.kind === 'topology')).toBe(true);
    expect([
      ...engine.activeContracts.now([{ party: world.stranger, templates: undefined }]),
    ]).toEqual([]);
  }));

function run(list: readonly Step[]): World {
  const world = new World();
  world.run(list);
  return world;
}
