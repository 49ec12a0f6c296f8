/**
 * Hostings that a participant rejects because of its active contracts, unless a force flag allows them, and hostings of admin parties
 * (B-EXT-041, B-EXT-042).
 */
import { startCanticle, type Canticle } from 'canticle';
import { GrpcClient } from '../../support/grpc/client.js';
import { ADD, MANAGER } from '../two-admin-apis.js';

const REMOVE = 'TOPOLOGY_CHANGE_OP_REMOVE';
const DISABLE = 'FORCE_FLAG_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS';
const OBSERVE = 'FORCE_FLAG_ALLOW_INSUFFICIENT_PARTICIPANT_PERMISSION_FOR_SIGNATORY_PARTY';
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];
type Permission = 'SUBMISSION' | 'CONFIRMATION' | 'OBSERVATION';

let canticle: Canticle;
let [bank, owner] = ['', ''];
const admin = {} as Record<Name, GrpcClient>;
beforeAll(async () => {
  canticle = await startCanticle({
    participants: [...NAMES],
    synchronizers: ['global', 'other'],
    grpc: { adminApiPort: 0 },
  });
  for (const name of NAMES) admin[name] = await GrpcClient.connect(canticle.grpcAdminApis[name]!);
});
beforeEach(() => {
  canticle.reset();
  [bank, owner] = ['bank', 'owner'].map((hint) => canticle.participant.allocateParty(hint)) as [
    string,
    string,
  ];
});
afterAll(async () => {
  for (const client of Object.values(admin)) client.close();
  await canticle.close();
});

const idOf = (alias: string) => canticle.network.synchronizer(alias)!.id;
const uid = (name: Name) => canticle.network.participant(name).id as string;
const hostsOf = (party: string, alias = 'global') =>
  Object.fromEntries(canticle.network.topology.hosts(party, idOf(alias)));
const hosting = (party: string, hosts: Partial<Record<Name, Permission>>, threshold = 1) => ({
  partyToParticipant: {
    party,
    threshold,
    participants: Object.entries(hosts).map(([name, permission]) => ({
      participantUid: uid(name as Name),
      permission: `PARTICIPANT_PERMISSION_${permission}`,
    })),
  },
});
const propose = (
  name: Name,
  mapping: object,
  {
    change = ADD,
    on = 'global',
    ...more
  }: { change?: string; on?: string; forceChanges?: readonly string[] } = {},
) =>
  admin[name].call(`${MANAGER}WriteService/Authorize`, {
    proposal: { change, serial: 0, mapping },
    store: { synchronizer: { id: idOf(on) } },
    ...more,
  });
const refused = (reason: string, message: string, code: number) => ({
  code,
  message: expect.stringContaining(`${reason}(`) as string,
  details: { ErrorInfo: { reason } },
  ...(message !== '' && { message: expect.stringContaining(message) }),
});
const short = (id: string) => id.replace(/(::.{12}).*/, '$1...');
const disabled = (party: string) =>
  refused(
    'TOPOLOGY_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS',
    `Disable party ${short(party)} failed because there are active contracts on synchronizer ${short(idOf('global'))}, on which the party is a stakeholder. It may also have other contracts on other synchronizers. Set the ForceFlag.DisablePartyWithActiveContracts if you really know what you are doing.`,
    9,
  );
const create = (signatory: string, observers: readonly string[] = []) => {
  const iou = { issuer: signatory, owner: signatory, currency: 'EUR', amount: '1.0', observers };
  return canticle.participant.create(IOU, iou, {
    actAs: signatory,
    synchronizer: 'global',
  } as never);
};
const both = { one: 'SUBMISSION', two: 'SUBMISSION' } as const;

/** Both participants host the party. */
async function onBoth(party: string): Promise<void> {
  await propose('one', hosting(party, both));
  await propose('two', hosting(party, both));
  expect(Object.keys(hostsOf(party))).toHaveLength(2);
}

it.each([
  ['signatory', () => create(bank)],
  ['observer', () => create(owner, [bank])],
])(
  'rejects the removal of a hosting while the party is %s of an active contract',
  async (_, make) => {
    const contractId = make();
    await onBoth(bank);
    const alone = hosting(bank, { two: 'SUBMISSION' });
    await expect(propose('one', alone)).rejects.toMatchObject(disabled(bank));
    await expect(propose('one', hosting(bank, both), { change: REMOVE })).rejects.toMatchObject(
      disabled(bank),
    );
    // Another permission of the same host is possible, and so is a change on another synchronizer.
    await propose('one', hosting(bank, { one: 'SUBMISSION', two: 'CONFIRMATION' }));
    await propose('one', hosting(bank, { one: 'SUBMISSION' }), { change: REMOVE, on: 'other' });
    expect(hostsOf(bank, 'other')).toEqual({});
    const template = { actAs: [bank, owner] };
    canticle.participant.archive(IOU, contractId, template as never);
    await propose('one', hosting(bank, { two: 'CONFIRMATION' }));
    expect(hostsOf(bank)).toEqual({ [uid('two')]: 'confirmation' });
  },
);

it('removes the hosting of a party with active contracts if the force flag is set', async () => {
  create(bank);
  const removal = { change: REMOVE, forceChanges: [OBSERVE] };
  const alone = hosting(bank, { one: 'SUBMISSION' });
  await expect(propose('one', alone, removal)).rejects.toMatchObject(disabled(bank));
  await propose('one', alone, { ...removal, forceChanges: [DISABLE] });
  expect(hostsOf(bank)).toEqual({});
});

it('does not check the contracts of a host that remains, or of a participant that is not a host', async () => {
  create(bank);
  await onBoth(bank);
  await propose('one', hosting(bank, { one: 'SUBMISSION' }));
  expect(hostsOf(bank)).toEqual({ [uid('one')]: 'submission' });
});

it('rejects a change to observers only while the party is a signatory, unless the force flag is set', async () => {
  create(bank, [owner]);
  const observed = (party: string) => hosting(party, { one: 'OBSERVATION' });
  await expect(propose('one', observed(bank))).rejects.toMatchObject(
    refused(
      'TOPOLOGY_INSUFFICIENT_PERMISSION_FOR_SIGNATORY_PARTY',
      `Changing participant permission of ${short(bank)} to observer failed because it is still a signatory on active contracts on synchronizer ${short(idOf('global'))}. It may also be a signatory on contracts across other synchronizers. Set the ForceFlag.AllowInsufficientParticipantPermissionForSignatoryParty if you really know what you are doing.`,
      9,
    ),
  );
  await propose('one', observed(owner));
  expect(hostsOf(owner)).toEqual({ [uid('one')]: 'observation' });
  await propose('one', observed(bank), { forceChanges: [OBSERVE] });
  expect(hostsOf(bank)).toEqual({ [uid('one')]: 'observation' });
  // It has only observers already.
  await propose('one', hosting(bank, { one: 'OBSERVATION', two: 'OBSERVATION' }));
});

describe('an incomplete reassignment (B-EXT-044)', () => {
  const STRAND = 'FORCE_FLAG_ALLOW_INSUFFICIENT_SIGNATORY_ASSIGNING_PARTICIPANTS_FOR_PARTY';
  const at = { on: 'other' };
  const FLAG = 'Set the ForceFlag.AllowInsufficientSignatoryAssigningParticipantsForParty if you';

  /** A contract of the bank, seen by the owner, on its way from `global` to `other`. */
  function unassigned() {
    const contract = create(bank, [owner]);
    const half = canticle.participant.unassign(contract, { to: 'other', submitter: bank });
    const id = `ReassignmentId(${half})`;
    const on = `on synchronizer ${short(idOf('other'))}`;
    return { half, id, on };
  }
  const stuck = (message: string) =>
    refused('TOPOLOGY_INSUFFICIENT_SIGNATORY_ASSIGNING_PARTICIPANTS', message, 9);

  it('keeps a host of its stakeholders on the target, unless the force flag is set', async () => {
    const { id, on } = unassigned();
    for (const party of [bank, owner])
      await expect(
        propose('one', hosting(party, { one: 'SUBMISSION' }), { change: REMOVE, ...at }),
      ).rejects.toMatchObject(
        stuck(
          `Disable party ${short(party)} failed because there are incomplete reassignments, such as ${id}, ${on} involving the party. ${FLAG} really know what you are doing.`,
        ),
      );
    const removal = { change: REMOVE, ...at, forceChanges: [STRAND] };
    await propose('one', hosting(bank, { one: 'SUBMISSION' }), removal);
    expect(hostsOf(bank, 'other')).toEqual({});
  });

  it('needs hosts that confirm, and are reassigning participants, up to the threshold', async () => {
    const { id, on } = unassigned();
    const observer = hosting(bank, { one: 'OBSERVATION' });
    await expect(propose('one', observer, at)).rejects.toMatchObject(
      stuck(
        `Changing the party to participant mapping for party ${short(bank)} would result in insufficient signatory-assigning participants for reassignment ${id} ${on}. Completing the assignment requires 1 signatory-assigning participants, but only Set() would be available. ${FLAG} are certain about proceeding with this change`,
      ),
    );
    await propose('one', hosting(bank, { one: 'CONFIRMATION' }), at);
    await propose('one', hosting(bank, both), at);
    await propose('two', hosting(bank, both), at);
    expect(Object.keys(hostsOf(bank, 'other'))).toHaveLength(2);
    const increase = hosting(bank, both, 2);
    await expect(propose('one', increase, at)).rejects.toMatchObject(
      stuck(
        `Increasing the threshold to 2 for the party ${short(bank)} would result in insufficient signatory-assigning participants for reassignment ${id} ${on}. The signatory assigning participants for this reassignment are: Set(PAR::${short(uid('one'))}). ${FLAG} really know what you are doing.`,
      ),
    );
    await propose('one', increase, { ...at, forceChanges: [STRAND] });
  });

  it('does not protect other parties, the source, completed reassignments, and other participants', async () => {
    const { half } = unassigned();
    const removal = (on: string) => ({ change: REMOVE, on });
    const carol = canticle.participant.allocateParty('carol');
    await propose('one', hosting(carol, { one: 'SUBMISSION' }), removal('other'));
    await propose('one', hosting(owner, { one: 'OBSERVATION' }), { on: 'global' });
    // It does not know the reassignment, and only proposes.
    const { transaction } = await propose('two', hosting(owner, { two: 'SUBMISSION' }), at);
    expect(transaction.proposal).toBe(true);
    canticle.participant.assign(half);
    await propose('one', hosting(owner, { one: 'OBSERVATION' }), at);
    expect(hostsOf(owner, 'other')).toEqual({ [uid('one')]: 'observation' });
  });
});

it.each<[string, Partial<Record<Name, Permission>>]>([
  ['another participant', { two: 'SUBMISSION' }],
  ['two participants', { one: 'SUBMISSION', two: 'SUBMISSION' }],
  ['less than the permission of submission', { one: 'CONFIRMATION' }],
])('rejects a hosting of an admin party with %s', async (_, hosts) => {
  await expect(propose('one', hosting(uid('one'), hosts))).rejects.toMatchObject(
    refused(
      'TOPOLOGY_PARTY_ID_CONFLICT_WITH_ADMIN_PARTY',
      `Tried to allocate party ${short(uid('one'))} with the same UID as an already existing admin party.`,
      6,
    ),
  );
  expect(hostsOf(uid('one'))).toEqual({ [uid('one')]: 'submission' });
});

it('rejects a threshold above 1 for an admin party, and accepts its own host', async () => {
  const alone = { one: 'SUBMISSION' } as const;
  const forceChanges = ['FORCE_FLAG_ALLOW_CONFIRMING_THRESHOLD_CANNOT_BE_MET'];
  await expect(
    propose('one', hosting(uid('one'), alone, 2), { forceChanges }),
  ).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_PARTY_ID_CONFLICT_WITH_ADMIN_PARTY' } },
  });
  // The participant hosts its admin party also without a mapping.
  await propose('one', hosting(uid('one'), alone), { change: REMOVE });
  expect(hostsOf(uid('one'))).toEqual({ [uid('one')]: 'submission' });
  const { transaction } = await propose('one', hosting(uid('one'), alone));
  expect(transaction.signatures).toHaveLength(1);
  expect(hostsOf(uid('one'))).toEqual({ [uid('one')]: 'submission' });
});

it('requires a host that confirms for a signatory, whichever host it is', async () => {
  const carol = canticle.network.participant('two').allocateParty('carol');
  create(bank, [carol]);
  const observers = hosting(bank, { one: 'OBSERVATION', two: 'OBSERVATION' });
  // A participant that does not host the party does not check its contracts.
  expect((await propose('two', observers)).transaction.proposal).toBe(true);
  const mixed = hosting(bank, { one: 'SUBMISSION', two: 'OBSERVATION' });
  await propose('one', mixed);
  await propose('two', mixed);
  await expect(propose('one', observers)).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_INSUFFICIENT_PERMISSION_FOR_SIGNATORY_PARTY' } },
  });
  await propose('one', hosting(bank, { one: 'OBSERVATION', two: 'SUBMISSION' }));
});
