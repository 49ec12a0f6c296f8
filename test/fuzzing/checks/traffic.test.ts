/** The traffic budget: the same cost as on a network in which each party has its own participant. */
import { d, definePackage, defineTemplate } from 'canticle';
import { STABLE_PACKAGES } from '../../../src/daml/define/stable-packages.js';
import { builtInChecks } from '../../../src/fuzzing/checks/checks.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { create, exercise, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import * as fuzz from '../models.js';

const Note = defineTemplate({
  name: 'Main:Note',
  fields: { owner: d.party, readers: d.list(d.party), text: d.text },
  signatories: ({ owner }) => [owner],
  observers: ({ readers }) => readers,
  choices: (choice) => ({
    Copy: choice({
      argument: { reader: d.party },
      result: d.contractId('Main:Note'),
      controllers: ({ owner }) => [owner],
      run: (update, { payload, template }, { reader }) =>
        update.create(template, { ...payload, readers: [reader] }),
    }),
  }),
});
const main = definePackage({ name: 'traffic-model', version: '1.0.0', templates: [Note] });
const NAMES = ['Alice', 'Bobby', 'Carol'] as const;
const [ALICE, , CAROL] = NAMES;
const TEMPLATE = '#traffic-model:Main:Note';
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);

type Names = readonly [string, string, string];
const payloads = ([owner, reader]: Names) => ({
  lonely: { owner, readers: [], text: 'x' },
  long: { owner, readers: [], text: TEXT },
  shared: { owner, readers: [reader], text: TEXT },
});

const costOf = (message: string): number => Number(/costs (\d+) bytes/.exec(message)![1]);

/** The costs that the check reports with a budget of 0 bytes. */
function fuzzedCosts(bytes = 0): { readonly costs: readonly number[]; readonly places: string[] } {
  const ledger = new FuzzLedger(new ScriptPackages([...STABLE_PACKAGES, main]), plainStart(NAMES), {
    protocolVersion: 35,
  });
  const [check] = builtInChecks({ bytes }).filter(({ name }) => name === 'traffic-budget');
  const running = check!.start(ledger, ledger.probe);
  const templateId = `${main.id}:Main:Note`;
  const { lonely, long, shared } = payloads(NAMES);
  const own = (payload: object) => ({ kind: 'create', templateId, payload }) as never;
  const submissions = [own(lonely), own(long), own(shared)];
  const findings = [...submissions, undefined].flatMap((command, number) => {
    const contractId = [...ledger.active()].at(-1)?.contractId;
    const choice = { kind: 'exercise', templateId, contractId, choice: 'Copy' };
    const copy = { ...choice, argument: { reader: CAROL } } as never;
    const outcome = ledger.run(fuzz.submit(number, [ALICE], command ?? copy));
    expect(outcome.submitted[0]!.error).toBeUndefined();
    return [...running.afterStep!(outcome, ledger)];
  });
  const costs = findings.map(({ message }) => costOf(message));
  return { costs, places: findings.map(({ place }) => place) };
}

/** The costs of the same transactions for the participant of the first party. */
async function networkCosts(): Promise<readonly number[]> {
  const ledger: LedgerApi = await startLedgerApi({
    participants: NAMES.map((name) => name.toLowerCase()),
    trafficControl: true,
    protocolVersion: 35,
    packages: [main],
  });
  try {
    const parties = NAMES.map((name, place) =>
      ledger.canticle.participants[place]!.allocateParty(name),
    ) as never as Names;
    const [alice, , carol] = parties;
    let last = '';
    const paid = async (command: unknown, number: number): Promise<number> => {
      const { transaction } = await ledger.ok('/v2/commands/submit-and-wait-for-transaction', {
        commands: {
          commands: [command],
          actAs: [alice],
          userId: 'ledger-api-user',
          commandId: `7e0c1c4e-7b1c-4b27-9d5e-0d3ffad6b6a${number}`,
        },
      });
      last = transaction.events.at(-1).CreatedEvent.contractId;
      return transaction.paidTrafficCost;
    };
    const { lonely, long, shared } = payloads(parties);
    const costs: number[] = [];
    for (const payload of [lonely, long, shared])
      costs.push(await paid(create(TEMPLATE, payload), costs.length));
    costs.push(await paid(exercise(TEMPLATE, last, 'Copy', { reader: carol }), costs.length));
    return costs;
  } finally {
    await ledger.client.close();
  }
}

it('counts what a participant pays, within 2 %', async () => {
  const { costs } = fuzzedCosts();
  const paid = await networkCosts();
  expect(costs).toHaveLength(paid.length);
  costs.forEach((cost, place) => {
    expect([place, Math.abs(cost / paid[place]! - 1) < 0.02, cost, paid[place]]).toEqual([
      place,
      true,
      cost,
      paid[place],
    ]);
  });
});

it('reports transactions beyond the budget alone', () => {
  const { costs } = fuzzedCosts();
  const [most] = costs.toSorted((a, b) => b - a);
  expect(fuzzedCosts(most).places).toEqual([]);
  expect(fuzzedCosts(most! - 1).places).toEqual(['Main:Note.Copy']);
});
