/** Updates are found by their ids, also after a revert took some back whose ids others have now. */
import { createCanticle } from 'canticle';
import { model, modelPackage } from '../../support/daml/model-package.js';

interface Update {
  readonly updateId: string;
  readonly update: { readonly Transaction: { readonly value: { readonly commandId: string } } };
}

test('an id refers to the update that has it at that time', async () => {
  const canticle = createCanticle({ seed: 1, packages: [modelPackage] });
  const alice = canticle.participant.allocateParty('alice');
  const post = async (path: string, body: object) => {
    const { status, json } = await canticle.handle({ method: 'POST', path, body });
    return { status, body: json() as Update };
  };
  const create = async (commandId: string): Promise<string> => {
    const payload = { templateId: model('Dummy'), createArguments: { operator: alice } };
    const commands = [{ CreateCommand: payload }];
    const body = { commands, commandId, userId: 'u', actAs: [alice] };
    return (await post('/v2/commands/submit-and-wait', body)).body.updateId;
  };
  const found = async (updateId: string): Promise<string | number> => {
    const eventFormat = { filtersByParty: { [alice]: {} } };
    const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
    const updateFormat = { includeTransactions };
    const { status, body } = await post('/v2/updates/update-by-id', { updateId, updateFormat });
    return status === 200 ? body.update.Transaction.value.commandId : status;
  };

  const retained = await create('kept');
  const mark = canticle.snapshot();
  const reverted = await create('reverted');
  expect([await found(retained), await found(reverted)]).toEqual(['kept', 'reverted']);
  canticle.revert(mark);
  expect([await found(retained), await found(reverted)]).toEqual(['kept', 404]);
  expect(await create('again')).toBe(reverted);
  expect([await found(retained), await found(reverted)]).toEqual(['kept', 'again']);
});
