/** The first entries of a participant's log. */
import { createCanticle } from 'canticle';

it('each participant has updates for the admin parties on its synchronizers (LedgerApiTopologyTransactionsTest)', async () => {
  const canticle = createCanticle({
    synchronizers: ['one', 'two'],
    participants: [{ name: 'first' }, { name: 'second', synchronizers: ['two'] }],
  });
  const [one, two] = canticle.network.synchronizers.map(({ id }) => id);
  const [first, second] = canticle.participants.map(({ engine }) => engine.id);
  const begun = async (name: string) => {
    const parties = { includeParticipantAuthorizationEvents: { parties: [first, second] } };
    const { json } = await canticle.handle({
      path: `/participants/${name}/v2/updates`,
      body: {
        beginExclusive: 0,
        endInclusive: 2,
        updateFormat: { includeTopologyEvents: parties },
      },
    });
    return (json() as any[]).map(({ update }) => {
      const { offset, synchronizerId, events } = update.TopologyTransaction.value;
      return [offset, synchronizerId, events[0].event.ParticipantAuthorizationAdded.value];
    });
  };
  const participantPermission = 'PARTICIPANT_PERMISSION_SUBMISSION';
  const added = (id?: string) => ({ partyId: id, participantId: id, participantPermission });
  expect(await begun('first')).toEqual([
    [1, one, added(first)],
    [2, two, added(first)],
  ]);
  expect(await begun('second')).toEqual([
    [1, two, added(first)],
    [2, two, added(second)],
  ]);
});
