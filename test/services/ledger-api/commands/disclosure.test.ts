/** Explicit disclosure, end to end (B-DSC-*): a stranger uses a contract with the blob from its owner. */
import { createCanticle } from 'canticle';
import {
  eventFormat,
  create,
  exercise,
  startLedgerApi,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model, modelPackage } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;

beforeEach(async () => {
  api = await startLedgerApi();
  [alice, bob] = await api.parties('alice', 'bob');
});
afterEach(() => api.client.close());

const offered = () =>
  api.create(model('WithObservers'), { giver: alice, observers: [] }, { actAs: alice });
const take = (contractId: string) =>
  exercise(model('WithObservers'), contractId, 'Take', { actor: bob });

async function disclose(contractId: string) {
  const events = await api.active(eventFormat([alice], wildcard(true)));
  const { createdEventBlob, templateId } = events.find(
    (event: JsonAnswer) => event.contractId === contractId,
  );
  return { contractId, templateId, createdEventBlob, synchronizerId: '' };
}

describe('a disclosed contract', () => {
  it('can be used by a party that is not a stakeholder and sees it nowhere (B-CMD-009, B-DSC-001, B-DSC-009)', async () => {
    const contractId = await offered();
    expect(await api.submitRefusal(take(contractId), { actAs: bob })).toBe('CONTRACT_NOT_FOUND');
    const disclosed = await disclose(contractId);
    const transaction = await api.transact(take(contractId), {
      actAs: bob,
      disclosedContracts: [{ createdEventBlob: disclosed.createdEventBlob }],
    });
    expect(transaction.events).toEqual([]);
    expect(transaction.commandId).not.toBe('');
    expect(await api.active(eventFormat([bob]))).toEqual([]);
    expect(await api.active(eventFormat([alice]))).toEqual([]);
    const events = await api.post('/v2/events/events-by-contract-id', {
      contractId,
      eventFormat: eventFormat([bob]),
    });
    expect(events.body.code).toBe('CONTRACT_EVENTS_NOT_FOUND');
  });

  it('must name its package by id, which is checked before the blob (B-DSC-014)', async () => {
    const disclosed = await disclose(await offered());
    const templateId = disclosed.templateId.replace(/^[^:]+/, '#model-tests');
    const { body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(take(disclosed.contractId), {
        actAs: bob,
        disclosedContracts: [{ ...disclosed, templateId, createdEventBlob: 'AAAA' }],
      }),
    );
    expect([body.code, body.cause]).toEqual([
      'INVALID_FIELD',
      'The submitted command has a field with invalid value: Invalid field package_id: non expected character 0x23 in Daml-LF Package ID "#model-tests"',
    ]);
  });

  it('is compared with the named template before the template is resolved (B-DSC-004)', async () => {
    const disclosed = await disclose(await offered());
    const other = disclosed.templateId.replace('WithObservers', 'WithObserverz');
    const bytes = Buffer.from(disclosed.createdEventBlob, 'base64');
    bytes.write('WithObserverz', bytes.indexOf('WithObservers'));
    const answer = async (named: object) => {
      const { body } = await api.post(
        '/v2/commands/submit-and-wait',
        api.commands(take(disclosed.contractId), {
          actAs: bob,
          disclosedContracts: [{ ...named, createdEventBlob: bytes.toString('base64') }],
        }),
      );
      return `${body.code} ${body.cause}`;
    };
    expect(await answer(disclosed)).toBe(
      `INVALID_ARGUMENT The submitted request has invalid arguments: Mismatch between DisclosedContract.template_id (${disclosed.templateId}) and template_id from decoded DisclosedContract.created_event_blob (${other})`,
    );
    const otherId = disclosed.contractId.replace(/.$/, (digit: string) =>
      digit === '0' ? '1' : '0',
    );
    expect(await answer({ ...disclosed, contractId: otherId })).toBe(
      `INVALID_ARGUMENT The submitted request has invalid arguments: Mismatch between DisclosedContract.contract_id (${otherId}) and contract_id from decoded DisclosedContract.created_event_blob (${disclosed.contractId})`,
    );
    expect(await answer({})).toMatch(/^INVALID_ARGUMENT .* is not known\)$/);
  });

  it('may be disclosed twice, or remain unused (B-DSC-005, B-DSC-006)', async () => {
    const [first, second] = [await offered(), await offered()];
    const disclosedContracts = [
      await disclose(first),
      await disclose(first),
      await disclose(second),
    ];
    await api.submit(take(first), { actAs: bob, disclosedContracts });
  });

  it('is rejected after sequencing if it is archived (B-DSC-008)', async () => {
    const contractId = await offered();
    const disclosedContracts = [await disclose(contractId)];
    await api.submit(exercise(model('WithObservers'), contractId, 'Archive'), { actAs: alice });
    const before = await api.ledgerEnd();
    expect(await api.submitRefusal(take(contractId), { actAs: bob, disclosedContracts })).toBe(
      'LOCAL_VERDICT_INACTIVE_CONTRACTS',
    );
    expect(await api.ledgerEnd()).toBe(before + 1);
  });

  it('with a changed blob is rejected only when it is used (B-DSC-005, B-DSC-007)', async () => {
    const contractId = await offered();
    const disclosed = await disclose(contractId);
    const bytes = Buffer.from(disclosed.createdEventBlob, 'base64');
    bytes.write('bob', bytes.lastIndexOf('alice'));
    const tampered = { createdEventBlob: bytes.toString('base64') };
    expect(
      await api.submitRefusal(take(contractId), { actAs: bob, disclosedContracts: [tampered] }),
    ).toBe('INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED');
    await api.submit(create(model('Dummy'), { operator: bob }), {
      actAs: bob,
      disclosedContracts: [tampered],
    });
    const { status, body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(take(contractId), { actAs: bob, disclosedContracts: [disclosed, tampered] }),
    );
    expect([status, body.code, body.context]).toEqual([400, 'NA', {}]);
  });

  it('from another ledger is not active on this one', async () => {
    const elsewhere = createCanticle({ seed: 2, packages: [modelPackage] });
    const carol = elsewhere.participant.allocateParty('carol');
    const contractId = elsewhere.participant.create(
      model('WithObservers'),
      { giver: carol, observers: [] },
      { actAs: [carol] },
    );
    const path = '/v2/contracts/contract-by-id';
    const answer = await elsewhere.handle({ method: 'POST', path, body: { contractId } });
    const { createdEventBlob } = (answer.json() as JsonAnswer).createdEvent;
    expect(
      await api.submitRefusal(take(contractId), {
        actAs: bob,
        disclosedContracts: [{ createdEventBlob }],
      }),
    ).toMatch(/UNKNOWN_INFORMEES/);
  });

  it('routes the submission to its synchronizer (B-DSC-011 to B-DSC-013)', async () => {
    const two = await startLedgerApi({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] });
    const { participant, network } = two.canticle;
    const [global, app] = network.synchronizers.map(({ id }) => id) as [string, string];
    const [owner, taker] = ['owner', 'taker'].map((hint) => participant.allocateParty(hint)) as [
      string,
      string,
    ];
    const at = async (synchronizerId: string) => {
      const contractId = await two.create(
        model('WithObservers'),
        { giver: owner, observers: [] },
        { actAs: owner, synchronizerId },
      );
      const events = await two.active(eventFormat([owner], wildcard(true)));
      const { createdEventBlob } = events.find(
        (event: JsonAnswer) => event.contractId === contractId,
      );
      return { contractId, createdEventBlob, synchronizerId };
    };
    const takes = (...list: { contractId: string }[]) =>
      list.map(({ contractId }) =>
        exercise(model('WithObservers'), contractId, 'Take', { actor: taker }),
      );
    const [here, there] = [await at(global), await at(app)];
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([taker]));
    const both = { actAs: taker, disclosedContracts: [here, there] };
    expect(await two.submitRefusal(takes(here, there), both)).toBe(
      'DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH',
    );
    expect(await two.submitRefusal(takes(there), { ...both, synchronizerId: global })).toBe(
      'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
    );
    const transaction = await two.transact(takes(there), both, format);
    expect(transaction.synchronizerId).toBe(app);
    await two.client.close();
  });

  it('may come from a witness of its creation (B-DSC-010)', async () => {
    const delegation = await api.create(
      model('Delegation'),
      { owner: alice, delegate: bob },
      { actAs: alice },
    );
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([bob], wildcard(true)));
    const { events } = await api.transact(
      exercise(model('Delegation'), delegation, 'CreateDelegated'),
      { actAs: bob },
      format,
    );
    const { contractId: delegated, createdEventBlob } = events[1].CreatedEvent;
    const fetch = exercise(model('Delegation'), delegation, 'FetchDelegated', { delegated });
    expect(await api.submitRefusal(fetch, { actAs: bob })).toBe('CONTRACT_NOT_FOUND');
    await api.submit(fetch, { actAs: bob, disclosedContracts: [{ createdEventBlob }] });
  });
});
