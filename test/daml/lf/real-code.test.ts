/** Code of real DARs, where they are: Canton's ping workflow runs as its Daml source says. Amulet has a folder of its own. */
import { createCanticle } from 'canticle';
import { realDar } from '../../support/amulet-world.js';
import { answer } from '../../support/lf-probe.js';

const ping = realDar('canton-builtin-admin-workflow-ping.dar');

if (ping)
  test('a ping is answered, once', () => {
    const { participant } = createCanticle({ seed: 1 });
    participant.uploadDar(ping);
    const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
      string,
      string,
    ];
    const PING = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping';
    const payload = { id: 'x', initiator: alice, responder: bob };
    const contract = participant.create(PING, payload, { actAs: [alice] });
    const respond = () =>
      participant.exercise(PING, contract, 'Respond', {}, { actAs: [bob] }).result;
    expect(respond()).toEqual({});
    expect(answer(respond)).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
  });

if (ping)
  test('a bong explodes into a tree of contracts and collapses again', () => {
    const { participant } = createCanticle({ seed: 1 });
    participant.uploadDar(ping);
    const [initiator, validator, responder] = ['initiator', 'validator', 'responder'].map((hint) =>
      participant.allocateParty(hint),
    ) as [string, string, string];
    const BONG = '#canton-builtin-admin-workflow-ping:Canton.Internal.Bong';
    const act = (template: string, id: string, choice: string, argument: object, actor: string) =>
      participant.exercise(`${BONG}:${template}`, id, choice, argument, { actAs: [actor] })
        .result as any;
    const propose = (candidates: string[]) =>
      participant.create(
        `${BONG}:BongProposal`,
        {
          id: 'x',
          initiator,
          candidates,
          validators: [],
          responders: [responder],
          maxLevel: '2',
          timeout: '2027-01-01T00:00:00Z',
        },
        { actAs: [initiator] },
      );
    expect(answer(() => propose([]))).toMatchObject({ refused: 'DAML_FAILURE' });
    const proposal = propose([validator]);
    const stranger = () =>
      act('BongProposal', proposal, 'Accept', { validator: initiator }, initiator);
    expect(answer(stranger)).toMatchObject({ refused: 'DAML_FAILURE' });
    const { tag, value: root } = act('BongProposal', proposal, 'Accept', { validator }, validator);
    expect(tag).toBe('Right');

    const winner = responder;
    /** Explodes all below, collapses it again. */
    const collapse = (explode: string): { tag: string; value: string } => {
      const { _1: merge, _2: next } = act('Explode', explode, 'ProcessExplode', { winner }, winner);
      const [leftId, rightId] =
        next.tag === 'Right'
          ? [next.value._1, next.value._2]
          : [next.value._1, next.value._2].map((each: string) => collapse(each).value);
      return act('Merge', merge, 'ProcessMerge', { winner, leftId, rightId }, winner);
    };
    const bong = collapse(root);
    expect(bong.tag).toBe('Left');
    expect(participant.contract(bong.value)).toMatchObject({
      signatories: [initiator, responder].sort(),
    });
    expect(act('Bong', bong.value, 'Ack', {}, initiator)).toEqual({});
    expect(participant.activeContracts({ party: responder })).toEqual([]);
  });

test('what is missing is said', () => {
  expect(realDar('no-such.dar')).toBeUndefined();
});
