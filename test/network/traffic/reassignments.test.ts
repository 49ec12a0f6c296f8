/** The traffic costs of reassignments, and the addition for each further informed participant. */
import { createHash } from 'node:crypto';
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';

const Note = defineTemplate({
  name: 'Notes:Note',
  fields: { owner: d.party, readers: d.list(d.party), text: d.text },
  signatories: (note) => [note.owner],
  observers: (note) => note.readers,
});
const packages = [definePackage({ name: 'notes', version: '1.0.0', templates: [Note] })];

const start = (): Canticle =>
  createCanticle({
    seed: 3,
    packages,
    trafficControl: true,
    participants: [{ name: 'alpha' }, { name: 'beta' }],
    synchronizers: [{ alias: 'one' }, { alias: 'two' }],
  });

/** Letters that cannot be compressed to less than 75% of their bytes. */
const noise = (length: number): string => {
  let text = '';
  while (text.length < length)
    text += createHash('sha256').update(text).digest('base64').slice(0, 43);
  return text.slice(0, length);
};

async function post(canticle: Canticle, path: string, body: unknown): Promise<any> {
  const request = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await canticle.fetch(request);
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer;
}

/** Costs of the unassignment and of the assignment of a note. */
async function costsOfMove(text: string): Promise<readonly number[]> {
  const canticle = start();
  const [alpha] = canticle.participants;
  const owner = alpha!.allocateParty('owner');
  const [one, two] = canticle.network.synchronizers.map(({ id }) => id);
  const note = alpha!.create(Note, { owner, readers: [], text }, { actAs: owner });
  const format = {
    filtersByParty: { [owner]: { cumulative: [] } },
    verbose: false,
  };
  const submit = async (command: unknown) => {
    const { reassignment } = await post(canticle, '/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands: {
        commandId: `move-${JSON.stringify(command).length}`,
        submitter: owner,
        commands: [{ command }],
        userId: 'mover',
        workflowId: '',
        submissionId: '',
      },
      eventFormat: format,
    });
    return reassignment;
  };
  const out = await submit({
    UnassignCommand: {
      value: { contractId: note, source: one, target: two },
    },
  });
  const [{ JsUnassignedEvent: unassigned }] = out.events;
  const { reassignmentId } = unassigned.value;
  const back = await submit({
    AssignCommand: { value: { reassignmentId, source: one, target: two } },
  });
  return [out.paidTrafficCost, back.paidTrafficCost];
}

test('the cost of a reassignment includes its compressed contract', async () => {
  const small = await costsOfMove('a');
  const repeated = await costsOfMove('a'.repeat(2000));
  const random = await costsOfMove(noise(2000));
  for (const [index, cost] of small.entries()) {
    expect(cost).toBeGreaterThan(1500);
    expect(cost).toBeLessThan(3500);
    expect(repeated[index]! - cost).toBeLessThan(60);
    expect(random[index]! - cost).toBeGreaterThan(1450);
    expect(random[index]! - cost).toBeLessThan(1700);
  }
});

test('an observer on another participant adds a key for the view', async () => {
  const paid = async (hosted: 0 | 1): Promise<number> => {
    const canticle = start();
    const owner = canticle.participant.allocateParty('owner');
    const reader = canticle.participants[hosted]!.allocateParty('reader');
    const createArguments = { owner, readers: [reader], text: 'a' };
    const { transaction } = await post(canticle, '/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        commands: [{ CreateCommand: { templateId: '#notes:Notes:Note', createArguments } }],
        commandId: 'observed',
        userId: 'observer',
        actAs: [owner],
      },
    });
    return transaction.paidTrafficCost;
  };
  // The encrypted key, the other namespace in compressed views, and a share for one more recipient.
  const more = (await paid(1)) - (await paid(0));
  expect(more).toBeGreaterThanOrEqual(223);
  expect(more).toBeLessThan(290);
});
