/** Every participant brings Canton's ping package along (B-PKG-015): clients ping themselves with it to see that all works. */
import { createCanticle, type Canticle } from 'canticle';
import { PING_PACKAGE } from '../../src/network/packages/admin-workflow-ping.js';
import { describeWithDars } from '../support/foreign-files.js';
import { answer } from '../support/daml/lf-probe.js';

const NAME = 'canton-builtin-admin-workflow-ping';
const T = (name: string) => `#${NAME}:Canton.Internal.${name}`;
const TIMEOUT = '2027-01-01T00:00:00Z';

const request = async (canticle: Canticle, path: string, body?: unknown) =>
  (await canticle.handle({ path, ...(body === undefined ? {} : { body }) })).json() as any;

/** Everything that its contracts can do, and what they refuse: results and the whole ledger after it. */
function history(canticle: Canticle) {
  const { participant } = canticle;
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((hint) =>
    participant.allocateParty(hint),
  ) as [string, string, string];
  const all = { actAs: [alice, bob, carol] };
  const ping = () =>
    participant.create(T('Ping:Ping'), { id: 'p', initiator: alice, responder: bob }, all);
  const run = (template: string, contract: string, choice: string, argument: object, by = all) =>
    answer(() => participant.exercise(T(template), contract, choice, argument, by).result);
  const propose = (more: object = {}) =>
    participant.create(
      T('Bong:BongProposal'),
      {
        id: 'b',
        initiator: alice,
        candidates: [alice, bob],
        validators: [],
        responders: [carol],
        maxLevel: '2',
        timeout: TIMEOUT,
        ...more,
      },
      all,
    );
  const results: unknown[] = [];
  const record = <T>(value: T): T => (results.push(value), value);

  record(run('Ping:Ping', ping(), 'Respond', {}, { actAs: [bob] }));
  record(run('Ping:Ping', ping(), 'Respond', {}, { actAs: [alice] }));
  record(run('Ping:Ping', ping(), 'AbortPing', { anyone: bob }));
  // Compiled code and TypeScript have different texts.
  for (const wrong of [
    { candidates: [] },
    { candidates: [alice, alice] },
    { validators: [bob, bob] },
  ])
    expect(answer(() => propose(wrong))).toHaveProperty('refused');
  record(run('Bong:BongProposal', propose(), 'Accept', { validator: carol }));
  record(run('Bong:BongProposal', propose(), 'AbortBongProposal', { anyone: carol }));

  const [once] = [run('Bong:BongProposal', propose(), 'Accept', { validator: alice })] as any[];
  const twice = record(run('Bong:BongProposal', once.value, 'Accept', { validator: bob })) as any;
  const winner = { winner: carol };
  const top = record(run('Bong:Explode', twice.value, 'ProcessExplode', winner)) as any;
  const [left, right] = [top._2.value._1, top._2.value._2];
  const [leaves, others] = [left, right].map((each) =>
    record(run('Bong:Explode', each, 'ProcessExplode', winner)),
  ) as any[];
  const merge = (of: any, leftId: string, rightId: string) =>
    record(run('Bong:Merge', of._1, 'ProcessMerge', { ...winner, leftId, rightId })) as any;
  merge(leaves, leaves._2.value._1, others._2.value._1); // of two paths
  const collapsed = [leaves, others].map((each) => merge(each, each._2.value._1, each._2.value._2));
  const bong = merge(top, collapsed[0].value, collapsed[1].value);
  record(run('Bong:Bong', bong.value, 'Ack', {}, { actAs: [bob] }));
  record(run('Bong:Bong', bong.value, 'Ack', {}, { actAs: [alice] }));
  const contracts = participant.activeContracts();
  return { results, contracts: contracts.map(({ payload }) => payload) };
}

test('each participant has and vets the package on each synchronizer', async () => {
  const canticle = createCanticle({
    synchronizers: ['global', 'app-synchronizer'],
    participants: [{ name: 'one' }, { name: 'two' }],
  });
  for (const at of ['', '/participants/two']) {
    // It is only declared here: nothing is listed that cannot be downloaded.
    const { packageIds } = await request(canticle, `${at}/v2/packages`);
    expect(packageIds).not.toContain(PING_PACKAGE.id);
    const status = await request(canticle, `${at}/v2/packages/${PING_PACKAGE.id}/status`);
    expect(status).toEqual({ packageStatus: 'PACKAGE_STATUS_REGISTERED' });
    const { vettedPackages } = await request(canticle, `${at}/v2/package-vetting/list`, {
      packageMetadataFilter: { packageNamePrefixes: [NAME] },
    });
    expect(vettedPackages).toHaveLength(4);
    for (const { packages } of vettedPackages)
      expect(packages).toEqual([
        expect.objectContaining({
          packageId: PING_PACKAGE.id,
          packageName: NAME,
          packageVersion: '3.4.0',
        }),
      ]);
  }
  const alice = canticle.participant.allocateParty('alice');
  const preferred = await request(
    canticle,
    `/v2/interactive-submission/preferred-package-version?parties=${alice}&package-name=${NAME}`,
  );
  expect(preferred.packagePreference.packageReference.packageId).toBe(PING_PACKAGE.id);
});

test('a client pings itself over HTTP, as wallets do in their first script', async () => {
  const canticle = createCanticle({ seed: 1 });
  const alice = canticle.participant.allocateParty('alice');
  const submit = (command: object) =>
    request(canticle, '/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        commandId: Object.keys(command)[0],
        userId: 'participant_admin',
        actAs: [alice],
        commands: [command],
      },
    });
  const { transaction } = await submit({
    CreateCommand: {
      templateId: T('Ping:Ping'),
      createArguments: { id: 'my-test', initiator: alice, responder: alice },
    },
  });
  const { contractId, packageName } = transaction.events[0].CreatedEvent;
  expect(packageName).toBe(NAME);
  const exercised = { templateId: T('Ping:Ping'), contractId, choice: 'Respond' };
  const answered = await submit({ ExerciseCommand: { ...exercised, choiceArgument: {} } });
  expect(answered.transaction.events[0].ArchivedEvent.contractId).toBe(contractId);
});

describeWithDars("with Canton's own DAR", [`${NAME}.dar`], (dar) => {
  const own = createCanticle({ seed: 5 });
  const real = createCanticle({ seed: 5, dars: [dar] });
  const taken = real.network.packages.package(PING_PACKAGE.id)!;

  test('the DAR replaces the declaration, with the same types and choices', () => {
    expect(taken.languageVersion).toBe('2.2');
    expect(taken).toMatchObject({ name: PING_PACKAGE.name, version: PING_PACKAGE.version });
    const types = ({ dataTypes }: typeof taken) =>
      Object.fromEntries(
        [...dataTypes].map(([name, { params, body }]) => [name, { params, body }]),
      );
    expect(types(PING_PACKAGE)).toEqual(types(taken));
    const choices = ({ templates }: typeof taken) =>
      Object.fromEntries(
        [...templates].map(([name, template]) => [
          name,
          Object.fromEntries(
            [...template.choices.values()].map(({ code: _, ...choice }) => [choice.name, choice]),
          ),
        ]),
      );
    expect(choices(PING_PACKAGE)).toEqual(choices(taken));
  });

  test('contracts of the DAR behave the same', () => {
    const [ours, theirs] = [own, real].map(history);
    expect(ours!.results).toHaveLength(15);
    expect(ours).toEqual(theirs);
  });
});
