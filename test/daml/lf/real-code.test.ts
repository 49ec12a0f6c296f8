/** Code of real DARs, if present: Canton's ping workflow runs as its Daml source says. For Amulet see test/splice/amulet. */
import { createCanticle, type ParticipantView } from 'canticle';
import { failure, UNAUTHORIZED } from '../../support/splice/amulet-world.js';
import { describeWithDars, realDar, skipsWithout } from '../../support/foreign-files.js';
import { answer } from '../../support/daml/lf-probe.js';

const allocated = (participant: ParticipantView) =>
  ['initiator', 'validator', 'responder', 'stranger'].map((hint) =>
    participant.allocateParty(hint),
  ) as [string, string, string, string];
const PING_DAR = 'canton-builtin-admin-workflow-ping.dar';
skipsWithout('DARs', [PING_DAR], "Canton's ping workflow");
const ping = realDar(PING_DAR);

if (ping)
  test('a ping can be answered once', () => {
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
    const left = participant.create(PING, payload, { actAs: [alice] });
    const abort = (anyone: string, actor = anyone) =>
      participant.exercise(PING, left, 'AbortPing', { anyone }, { actAs: [actor] }).result;
    expect(answer(() => abort(alice, bob))).toMatchObject(UNAUTHORIZED);
    expect(abort(alice)).toEqual({});
  });

if (ping)
  describe('any party that sees a contract of the ping workflow can abort it', () => {
    const { participant } = createCanticle({ seed: 1 });
    participant.uploadDar(ping);
    const [initiator, validator, responder, stranger] = allocated(participant);
    const actAs = [initiator, validator, responder];
    const common = { id: 'x', initiator, timeout: '2027-01-01T00:00:00Z' };
    const tree = { ...common, validators: [validator], responders: [responder], path: '' };
    const bong = { ...common, validators: [validator], responder, observers: [] };
    const proposal = {
      ...common,
      candidates: [validator],
      validators: [],
      responders: [responder],
      maxLevel: '2',
    };

    test.each<[string, string, object, readonly string[]]>([
      ['Ping:Ping', 'AbortPing', { id: 'x', initiator, responder }, [initiator, responder]],
      ['Bong:BongProposal', 'AbortBongProposal', proposal, actAs],
      ['Bong:Bong', 'AbortBong', bong, actAs],
      ['Bong:Explode', 'AbortExplode', { ...tree, maxLevel: '2' }, actAs],
      ['Bong:Merge', 'AbortMerge', tree, actAs],
      ['Bong:Collapse', 'AbortCollapse', tree, actAs],
    ])('%s %s', (template, choice, payload, witnesses) => {
      const id = `#canton-builtin-admin-workflow-ping:Canton.Internal.${template}`;
      for (const anyone of witnesses) {
        const contract = participant.create(id, payload, { actAs });
        const abort = (actor: string, named = actor) =>
          answer(
            () =>
              participant.exercise(id, contract, choice, { anyone: named }, { actAs: actor })
                .result,
          );
        expect(abort(stranger)).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
        expect(abort(anyone, stranger)).toMatchObject(UNAUTHORIZED);
        expect(abort(anyone)).toEqual({});
        expect(participant.contract(contract)).toBeUndefined();
        expect(abort(anyone)).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
      }
    });

    test('a bong is acknowledged by its initiator', () => {
      const id = '#canton-builtin-admin-workflow-ping:Canton.Internal.Bong:Bong';
      const contract = participant.create(id, bong, { actAs });
      const acknowledge = (actor: string) =>
        answer(() => participant.exercise(id, contract, 'Ack', {}, { actAs: actor }).result);
      expect(acknowledge(responder)).toMatchObject(UNAUTHORIZED);
      expect(acknowledge(initiator)).toEqual({});
    });

    test('collapsed contracts do not merge with each other or with contracts elsewhere in the tree', () => {
      const id = (name: string) =>
        `#canton-builtin-admin-workflow-ping:Canton.Internal.Bong:${name}`;
      const made = (name: string, path = '') =>
        participant.create(id(name), { ...tree, path }, { actAs });
      const act = (name: string, on: string, choice: string, argument: object) =>
        answer(
          () =>
            participant.exercise(
              id(name),
              on,
              choice,
              { winner: responder, ...argument },
              { actAs: responder },
            ).result,
        );
      const [merge, left, right, below] = [
        made('Merge'),
        made('Collapse'),
        made('Collapse'),
        made('Collapse', 'L'),
      ];
      const mergeOf = (leftId: string, rightId: string) =>
        act('Merge', merge, 'ProcessMerge', { leftId, rightId });
      expect(mergeOf(left, below)).toMatchObject({ refused: 'DAML_FAILURE' });
      expect(act('Collapse', below, 'ProcessCollapse', {})).toEqual({});
      expect(mergeOf(left, below)).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
      expect(mergeOf(left, right)).toMatchObject({ tag: 'Left' });
    });
  });

if (ping)
  test('a bong creates a tree of contracts, which collapses again', () => {
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

const REPLICATION = 'canton-builtin-admin-workflow-party-replication-alpha';
describeWithDars('a party', [`${REPLICATION}.dar`], (replication) => {
  const { participant } = createCanticle({ seed: 1, dars: [replication] });
  const [source, target, other] = ['source', 'target', 'other'].map((hint) =>
    participant.allocateParty(hint),
  ) as [string, string, string];
  const template = (name: string) => `#${REPLICATION}:Canton.Internal.PartyReplication:${name}`;
  const propose = (...sequencerUids: string[]): string =>
    participant.create(
      template('PartyReplicationProposal'),
      {
        partyReplicationId: 'x',
        partyId: other,
        sourceParticipant: source,
        targetParticipant: target,
        sequencerUids,
        topologySerial: '7',
        participantPermission: 'Observation',
      },
      { actAs: [target] },
    );
  const act = (name: string, id: string, choice: string, argument: object, actor = source) =>
    answer(
      () =>
        participant.exercise(template(name), id, choice, argument, {
          actAs: [actor],
          readAs: [source],
        }).result,
    );

  test('a proposed sequencer replicates the party, until either side completes', () => {
    expect(answer(() => propose())).toMatchObject(failure('precondition'));
    const proposal = propose('one', 'two');
    const accept = (sequencerUid: string) =>
      act('PartyReplicationProposal', proposal, 'Accept', { sequencerUid });
    expect(accept('three')).toMatchObject(failure('needs to be one of sequencerUids'));
    const agreement = accept('two') as string;
    expect(participant.contract(agreement)).toMatchObject({
      payload: { sequencerUid: 'two', topologySerial: '7', participantPermission: 'Observation' },
      signatories: [source, target].sort(),
    });
    const done = (who: string) =>
      act('PartyReplicationAgreement', agreement, 'Done', { participant: who }, who);
    expect(done(other)).toMatchObject(failure('participant needs to be a signatory'));
    expect(done(target)).toEqual({});
  });

  test('the source participant may reject the proposal', () => {
    const reject = (actor: string) =>
      act('PartyReplicationProposal', propose('one'), 'Reject', { reason: 'no' }, actor);
    expect(reject(target)).toMatchObject(UNAUTHORIZED);
    expect(reject(source)).toEqual({});
  });
});
