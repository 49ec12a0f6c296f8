/** The time to compute the traffic cost of a submission, compared with the time to commit it. */
import { createCanticle, d, definePackage, defineTemplate } from 'canticle';
import { paidTrafficCost } from '../src/network/traffic/update-cost.js';
import { figure, machine, middle } from './measure/report.js';

const ROUNDS = 2000;
const Note = defineTemplate({
  name: 'Notes:Note',
  fields: { owner: d.party, text: d.text },
  signatories: (note) => [note.owner],
});
const packages = [definePackage({ name: 'notes', version: '1.0.0', templates: [Note] })];

const now = (): number => Number(process.hrtime.bigint()) / 1e3;

function bench(): void {
  machine();
  const { participant, network } = createCanticle({ packages, trafficControl: true });
  const owner = participant.allocateParty('owner');
  const [engine] = network.participants;
  const [creates, costs]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n += 1) {
    const start = now();
    participant.create(Note, { owner, text: `${n}` }, { actAs: owner });
    const made = now();
    paidTrafficCost(engine!, network.updates.at(network.updates.length - 1)!);
    creates.push(made - start);
    costs.push(now() - made);
  }
  figure('create', middle(creates), 'µs');
  figure('cost of a create', middle(costs), 'µs');
}

bench();
