/** The journal of requests says the same of a call, whichever transport it came by. */
import type { JournalEntry } from 'canticle';
import { model } from '../../support/daml/model-package.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';

const api = useLedgerApi({ seed: 4, grpc: { adminApiPort: 0 } });
const { canticle } = api;
const [alice] = useParties(api, 'alice');
const DUMMY = model('Dummy');
const TEMPLATE = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };

let grpc: GrpcClient;
beforeAll(async () => {
  grpc = await GrpcClient.connect(canticle.urls.grpc!);
});
afterAll(() => grpc.close());

const commands = (command: object, commandId: string) => ({
  userId: 'tester',
  commandId,
  actAs: [alice],
  commands: [command],
});
const createArguments = () => ({ fields: [{ label: 'operator', value: { party: alice } }] });
const overGrpc = (command: object): Promise<unknown> =>
  grpc.call('CommandService/SubmitAndWait', { commands: commands(command, 'one') });
const overHttp = (command: object) =>
  api.post('/v2/commands/submit-and-wait', commands(command, 'one'));

const newest = (): JournalEntry => canticle.requests.list().at(-1)!;
/** The fields that do not depend on the transport. */
const summaryOf = ({ api: of, operation, outcome, error, explanation }: JournalEntry) => ({
  api: of,
  operation,
  outcome,
  error,
  explanation,
});

it('has the offset and the update of a committed command', async () => {
  const answer: any = await overGrpc({
    create: { templateId: TEMPLATE, createArguments: createArguments() },
  });
  expect(newest()).toMatchObject({
    method: 'GRPC',
    outcome: 'answered',
    status: 0,
    offset: Number(answer.completionOffset),
    updateId: answer.updateId,
  });
});

it('has the reason and the tree of a rejected submission', async () => {
  const contractId = canticle.participant.create(DUMMY, { operator: alice }, { actAs: alice });
  canticle.participant.exercise(DUMMY, contractId, 'Archive', {}, { actAs: alice });
  await overHttp({
    ExerciseCommand: { templateId: DUMMY, contractId, choice: 'Archive', choiceArgument: {} },
  });
  const [asJson, tree] = [newest(), canticle.requests.explain('latest')!.text()];
  const exercise = {
    templateId: TEMPLATE,
    contractId,
    choice: 'Archive',
    choiceArgument: { record: {} },
  };
  await expect(overGrpc({ exercise })).rejects.toMatchObject({ code: 5 });
  expect(summaryOf(newest())).toEqual(summaryOf(asJson));
  expect(newest()).toMatchObject({ outcome: 'refused', error: 'CONTRACT_NOT_FOUND' });
  expect(canticle.requests.explain(newest().id)!.text()).toBe(tree);
});

it('records an invalid message as a client error, not as an internal error', async () => {
  await expect(
    grpc.raw('CommandService/SubmitAndWait', Buffer.from([0x0a, 0xff])),
  ).rejects.toMatchObject({ code: 2 });
  expect(newest()).toMatchObject({ outcome: 'refused', validation: { ok: false } });
});
