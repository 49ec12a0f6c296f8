// External calls of Daml-LF 2.4. `oracles.dar` has a template Oracle, whose choice Ask calls the function `latest` of the
// extension `prices`. Use your own DAR instead.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createCanticle } from 'canticle';

const dar = fileURLToPath(new URL('oracles.dar', import.meta.url));
const skip = !existsSync(dar);
const oracle = '#oracles:Main:Oracle';

/** A service in TypeScript or JavaScript: config, input and output are hexadecimal. */
const prices = (functionId, config, input) => (functionId === 'latest' ? `${input}01` : '');

/** A network of two participants, each with its own services. */
function network(here, there) {
  return createCanticle({
    canton: '3.6',
    protocolVersion: 36,
    participants: [
      { name: 'here', externalCalls: { prices: here } },
      { name: 'there', externalCalls: { prices: there } },
    ],
    dars: [dar],
  });
}

/** Alice at `here` owns an oracle, and Bob at `there` asks it. */
async function ask(canticle) {
  const [here, there] = canticle.participants;
  const alice = here.allocateParty('alice');
  const bob = there.allocateParty('bob');
  const contractId = here.create(oracle, { owner: alice, other: bob }, { actAs: [alice] });
  const choiceArgument = { config: '', input: 'ff' };
  const command = { templateId: oracle, contractId, choice: 'Ask', choiceArgument };
  const answer = await canticle.handle({
    path: '/participants/there/v2/commands/submit-and-wait',
    body: {
      commands: [{ ExerciseCommand: command }],
      commandId: 'ask',
      userId: 'participant_admin',
      actAs: [bob],
    },
  });
  return { ...answer.json(), calls: canticle.requests.list().at(-1).externalCalls };
}

test('a function answers, to submit and to confirm', { skip }, async () => {
  const { updateId, calls } = await ask(network(prices, prices));
  assert.ok(updateId);
  assert.deepEqual(
    calls.map(({ participant, mode, output }) => [participant, mode, output]),
    [
      ['there', 'submission', 'ff01'],
      ['here', 'validation', 'ff01'],
      ['there', 'validation', 'ff01'],
    ],
  );
});

test('participants with different answers disagree', { skip }, async () => {
  const { code } = await ask(network(() => '02', prices));
  assert.equal(code, 'LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT');
});

const server = createServer((request, response) => {
  let input = '';
  request.on('data', (chunk) => (input += chunk));
  request.on('end', () =>
    response.end(prices(request.headers['x-daml-external-function-id'], '', input)),
  );
});
before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => {
  server.close();
  server.closeAllConnections();
});

test('a service at an address answers the same', { skip }, async () => {
  const { updateId } = await ask(network(prices, `http://127.0.0.1:${server.address().port}`));
  assert.ok(updateId);
});
