/** The status of a participant's last commands for its operator (B-GRPC-032). */
import { create, exercise } from '../../support/ledger-api.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
const PATH = 'admin.CommandInspectionService/GetCommandStatus';
const FAILED = 'COMMAND_STATE_FAILED';
const SUCCEEDED = 'COMMAND_STATE_SUCCEEDED';
const COIN = '#model-tests:Test:Coin';
let grpc: GrpcClient;
beforeAll(async () => (grpc = await GrpcClient.connect(api.canticle.urls.grpc!)));
afterAll(() => grpc.close());

const statuses = async (prefix: string, state: string, limit = 1000): Promise<any[]> => {
  const request = { commandIdPrefix: prefix, state, limit };
  return (await grpc.call(PATH, request)).commandStatus;
};
const submit = (commandId: string, command: object, actAs: string) =>
  api.submit(command as never, { actAs, commandId } as never).catch(() => undefined);

it('returns the submitted commands, with field names and without types, also for JSON submissions', async () => {
  const [alice] = await api.parties('alice');
  await submit('sent-1', create(COIN, { owner: alice, label: 'l' }), alice!);
  const [{ commands, requestStatistics }] = await statuses('sent-1', SUCCEEDED);
  expect(commands).toEqual([
    {
      create: {
        templateId: { packageId: '#model-tests', moduleName: 'Test', entityName: 'Coin' },
        createArguments: {
          fields: [
            { label: 'owner', value: { party: alice } },
            { label: 'label', value: { text: 'l' } },
          ],
        },
      },
    },
  ]);
  // For the mediator, for all members, and the view.
  expect(requestStatistics).toEqual({
    envelopes: 3,
    requestSize: expect.any(Number),
    recipients: 2,
  });
  expect(requestStatistics.requestSize).toBeGreaterThan(2000);
});

it('has no request statistics for an early refusal, but has the effects of the rejected command', async () => {
  const [bob] = await api.parties('bob');
  const command = create(COIN, { owner: bob, label: 'l' });
  await submit('twice-1', command, bob!);
  await submit('twice-1', command, bob!);
  const [refused, ...others] = await statuses('twice-', FAILED);
  expect(others).toEqual([]);
  expect(refused).toMatchObject({
    commands: [{ create: { createArguments: { fields: [{ label: 'owner' }, {}] } } }],
    updates: { created: [{ templateId: { entityName: 'Coin' } }] },
  });
  expect(refused.requestStatistics).toEqual({ envelopes: 0, recipients: 0, requestSize: 0 });
});

it('omits the commands and statistics of a large rejected command', async () => {
  const [carol] = await api.parties('carol');
  const statusOf = async (commandId: string, characters: number): Promise<any> => {
    const command = create(COIN, { owner: carol, label: 'x'.repeat(characters) });
    await submit(commandId, command, carol!);
    await submit(commandId, command, carol!);
    const [status] = await statuses(commandId, FAILED);
    return status;
  };
  let [fits, over] = [60_000, 2 ** 16];
  expect((await statusOf('small-1', fits)).commands).toHaveLength(1);
  const large = await statusOf('large-1', over);
  expect(large.commands ?? []).toEqual([]);
  expect(large.requestStatistics).toBeUndefined();
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    const { commands = [] } = await statusOf(`mid-${middle}`, middle);
    if (commands.length === 1) fits = middle;
    else over = middle;
  }
  // In addition to the label: the party, and another 82 of names, kinds and parts.
  expect(fits).toBe(2 ** 16 - carol!.length - 82);
});

it('rejects a prefix with characters that an id cannot have', async () => {
  const request = { commandIdPrefix: 'no id!\n', state: FAILED, limit: 1 };
  await expect(grpc.call(PATH, request)).rejects.toMatchObject({
    code: 3,
    message: expect.stringContaining('command_id_prefix'),
  });
});

it('keeps the last 100 commands of each state', async () => {
  const [dora] = await api.parties('dora');
  const command = create(COIN, { owner: dora, label: 'l' });
  for (let n = 0; n <= 100; n += 1) await submit(`many-${n}`, command, dora!);
  const all = await statuses('many-', SUCCEEDED);
  expect(all).toHaveLength(100);
  expect(all.every(({ commands }) => commands?.length === 1)).toBe(true);
  expect(all.map(({ completion }) => completion.commandId)).not.toContain('many-0');
  expect(await statuses('many-', FAILED)).toEqual([]);
});

it('a revert drops the statuses', async () => {
  const [erin] = await api.parties('erin');
  const snapshot = api.canticle.snapshot();
  await submit('gone-1', create(COIN, { owner: erin, label: 'gone' }), erin!);
  api.canticle.revert(snapshot);
  await submit('back-1', create('#model-tests:Test:Dummy', { operator: erin }), erin!);
  expect(await statuses('gone-', SUCCEEDED)).toEqual([]);
  const [{ commands }] = await statuses('back-', SUCCEEDED);
  expect(commands).toMatchObject([{ create: { templateId: { entityName: 'Dummy' } } }]);
});

it('returns exercises of each kind, with their arguments', async () => {
  const [fred] = await api.parties('fred');
  await submit('dummy-1', create('#model-tests:Test:Dummy', { operator: fred }), fred!);
  const [{ updates }] = await statuses('dummy-1', SUCCEEDED);
  const [{ contractId }] = updates.created;
  await submit('archive-1', exercise('#model-tests:Test:Dummy', contractId, 'Archive', {}), fred!);
  const [{ commands }] = await statuses('archive-1', SUCCEEDED);
  expect(commands).toEqual([
    {
      exercise: {
        templateId: { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' },
        contractId,
        choice: 'Archive',
        choiceArgument: { record: { fields: [] } },
      },
    },
  ]);
});
