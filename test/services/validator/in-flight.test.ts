/** Contracts in flight between synchronizers: the validator lists them, and refuses to use them (V-PRO-013, V-PRE-005). */
import { describeWithDars } from '../../support/foreign-files.js';
import { VALIDATOR_DARS, validatorWorld } from '../../support/splice/validator-world.js';

const ADMIN = '/v0/admin';

describeWithDars('contracts of a validator in flight', VALIDATOR_DARS, (...dars) => {
  const {
    participant,
    validator,
    request: bare,
  } = validatorWorld(dars, {
    synchronizers: ['global', 'app'],
  });
  const request = (call: string, body?: unknown) => bare(call, { as: 'ledger-api-user', body });

  beforeAll(() => request(`POST ${ADMIN}/users`, { name: 'app-user', party_id: validator }));

  test('shows a setup proposal without a synchronizer, and cannot prepare its acceptance', async () => {
    const user = participant.allocateParty('alice');
    const external = `${ADMIN}/external-party/setup-proposal`;
    const { body } = await request(`POST ${external}`, { user_party_id: user });
    const { contract_id } = body;
    const prepare = () =>
      request(`POST ${external}/prepare-accept`, { user_party_id: user, contract_id });
    expect((await request(`GET ${external}`)).body.contracts).toMatchObject([
      { contract: { contract_id }, domain_id: expect.any(String) },
    ]);
    const reassignment = participant.unassign(contract_id, { to: 'app', submitter: validator });
    expect((await request(`GET ${external}`)).body.contracts).toMatchObject([
      { contract: { contract_id }, domain_id: null },
    ]);
    expect(await prepare()).toMatchObject({ status: 400, body: { error: 'Invalid contract' } });
    expect(await request(`POST ${external}`, { user_party_id: user })).toMatchObject({
      status: 409,
    });
    participant.assign(reassignment, { submitter: validator });
    expect((await request(`GET ${external}`)).body.contracts).toHaveLength(1);
    expect((await prepare()).body).not.toMatchObject({ error: 'Invalid contract' });
  });

  test('shows a preapproval without a synchronizer, and cannot cancel it', async () => {
    const receiver = participant.allocateParty('bob');
    const { body } = await request(`POST ${ADMIN}/external-party/setup-proposal`, {
      user_party_id: receiver,
    });
    const proposal = '#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal';
    participant.exercise(
      proposal,
      body.contract_id,
      'ExternalPartySetupProposal_Accept',
      {},
      {
        actAs: [receiver],
      },
    );
    const own = `${ADMIN}/transfer-preapprovals/by-party/${encodeURIComponent(receiver)}`;
    const found = (await request(`GET ${own}`)).body.transfer_preapproval;
    expect(found.domain_id).toEqual(expect.any(String));
    const { contract_id } = found.contract;
    participant.unassign(contract_id, { to: 'app', submitter: validator });
    const inFlight = { contract: { contract_id }, domain_id: null };
    expect((await request(`GET ${own}`)).body).toMatchObject({ transfer_preapproval: inFlight });
    expect((await request(`GET ${ADMIN}/transfer-preapprovals`)).body.contracts).toMatchObject([
      inFlight,
    ]);
    expect(await request(`DELETE ${own}`)).toMatchObject({
      status: 400,
      body: { error: 'TransferPreapproval contract is not assigned to a domain.' },
    });
  });
});
