/** The status of pre-signed transfers in Scan and the validator's proxy (S-PRE-006, S-PRE-007), with Amulet's own code. */
import { instant } from '../../support/splice/amulet-client.js';
import { AMULET_DAR, amuletWorld, rewind } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';

const T = (name: string) => `#splice-amulet:Splice.${name}`;
const COMMAND = T('ExternalPartyAmuletRules:TransferCommand');
const DAY = 86_400_000_000n;

describeWithDars('transfer commands', [AMULET_DAR], (bytes) => {
  const world = amuletWorld(bytes);
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant } = canticle;
  const delegate = participant.allocateParty('delegate');

  const command = (nonce: string): string =>
    world.exercise(
      T('ExternalPartyAmuletRules:ExternalPartyAmuletRules'),
      amulet.factory,
      'ExternalPartyAmuletRules_CreateTransferCommand',
      {
        sender: alice,
        receiver: bob,
        delegate,
        amount: '10.0',
        expiresAt: instant(canticle.network.clock.now() + DAY),
        nonce,
        description: null,
        expectedDso: dso,
      },
      [alice],
    ).transferCommandCid;
  const counter = (): string =>
    participant
      .activeContracts({
        template: T('ExternalPartyAmuletRules:TransferCommandCounter'),
      })
      .at(-1)!.contractId;
  const send = (cid: string, more: object = {}) => {
    const preapproval = participant
      .activeContracts({ template: T('AmuletRules:TransferPreapproval') })
      .at(-1)!.contractId;
    const { payment } = amulet.context();
    participant.exercise(
      COMMAND,
      cid,
      'TransferCommand_Send',
      {
        context: { ...payment, context: { ...payment.context, ...more } },
        inputs: [{ tag: 'InputAmulet', value: amulet.tap(alice, '100.0') }],
        transferPreapprovalCidO: preapproval,
        transferCounterCid: counter(),
      },
      { actAs: [delegate], readAs: [dso, alice] },
    );
  };
  const getStatus = async (base: string, nonce: number) => {
    const path = `${base}/transfer-command/status?sender=${encodeURIComponent(alice)}&nonce=${nonce}`;
    const answer = await canticle.handle({ path });
    return { status: answer.status, body: answer.json() as any };
  };

  beforeEach(() => {
    amulet.preapprove(bob);
    participant.create(
      T('ExternalPartyAmuletRules:TransferCommandCounter'),
      { dso, sender: alice, nextNonce: '0' },
      { actAs: [dso] },
    );
  });

  test.each(['/api/scan/v0', '/api/validator/v0/scan-proxy'])(
    'show the latest status of each command, at %s',
    async (base) => {
      expect(await getStatus(base, 0)).toEqual({
        status: 404,
        body: {
          error: `Couldn't find transfer command for sender ${alice.slice(0, 'alice::'.length + 12)}... with nonce 0 created in the last 24h`,
        },
      });
      const [first, second, other] = [command('0'), command('0'), command('1')];
      const created = await getStatus(base, 0);
      expect(created.body.transfer_commands_by_contract_id).toMatchObject({
        [first!]: {
          contract: { contract_id: first, payload: { nonce: '0' } },
          status: { status: 'created' },
        },
        [second!]: { status: { status: 'created' } },
      });
      send(first!);
      world.exercise(COMMAND, second!, 'TransferCommand_Withdraw', {}, [alice]);
      const commands = (await getStatus(base, 0)).body.transfer_commands_by_contract_id;
      expect(Object.keys(commands)).toEqual([first, second]);
      expect(commands[first!].status).toEqual({ status: 'sent' });
      expect(commands[second!].status).toEqual({
        status: 'failed',
        failure_kind: 'withdrawn',
        reason: 'The TransferCommand has been withdrawn by the sender',
      });
      // The right of the delegate is not one of the preapproval's provider.
      send(other!, { featuredAppRight: amulet.feature(delegate) });
      expect(
        (await getStatus(base, 1)).body.transfer_commands_by_contract_id[other!].status,
      ).toEqual({
        status: 'failed',
        failure_kind: 'failed',
        reason: expect.stringMatching(
          /\.amuletrules\.invalidtransferreason\.ITR_Other\(.*expected FeaturedAppRight/s,
        ),
      });
    },
  );

  test('show an expired command as failed', async () => {
    const cid = command('0');
    canticle.advanceTime({ days: 2 });
    const expire = { p: dso };
    participant.exercise(COMMAND, cid, 'TransferCommand_Expire', expire, { actAs: [dso] });
    const { body } = await getStatus('/api/scan/v0', 0);
    expect(body.transfer_commands_by_contract_id[cid].status).toEqual({
      status: 'failed',
      failure_kind: 'expired',
      reason: 'The TransferCommand has expired',
    });
  });
});
