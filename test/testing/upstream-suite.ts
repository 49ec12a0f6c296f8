/** A suite of tests with useCanticle, as its users have it: by verbs, over addresses, and with what no real participant has. */
import type { Canticle } from '../../src/index.js';

type Json = any;
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

/** @returns tests by their names, each with what it saw */
export function suiteOf(canticle: Canticle): Readonly<Record<string, () => unknown>> {
  const { participant, token } = canticle;
  const bank = participant.allocateParty('bank');
  const world = () => {
    const alice = participant.allocateParty('alice');
    const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '4.0', observers: [] };
    return { alice, payload, iou: participant.create(IOU, payload, { actAs: [bank, alice] }) };
  };
  const refusal = (action: () => unknown) => {
    try {
      return action();
    } catch (error) {
      return (error as Json).code ?? (error as Error).message.replace(/http:\S+/, 'URL');
    }
  };
  const request = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const sent = body && { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(canticle.urls.ledgerApi + path, sent);
    return [answer.status, (await answer.json()) as Json];
  };
  return {
    'creates, exercises and reads': () => {
      const { alice, iou } = world();
      const before = participant.activeContracts({ party: alice, template: IOU });
      const split = { splitAmount: '1.0' };
      const done = participant.exercise(IOU, iou, 'Iou_Split', split, { actAs: alice });
      const [first] = done.created;
      participant.archive(IOU, first!.contractId, { actAs: [bank, alice] });
      const after = participant.activeContracts({ party: alice });
      return [before, done.result, done.created, after, participant.contract(iou) === undefined];
    },
    'has the same name for a party in each test': () => world().alice.split('::')[0]!.slice(0, 5),
    'throws what is refused': () => {
      const { alice, iou, payload } = world();
      participant.archive(IOU, iou, { actAs: [bank, alice] });
      const gone = () => participant.archive(IOU, iou, { actAs: [bank, alice] });
      const alone = () => participant.create(IOU, payload, { actAs: alice });
      const twice = () => participant.allocateParty('alice');
      const none = () => participant.create('#none:None:None', {}, { actAs: alice });
      const wrong = () => participant.create(IOU, { ...payload, amount: 'x' }, { actAs: alice });
      return [gone, alone, twice, none, wrong].map(refusal);
    },
    'knows a command that it has had': () => {
      const { alice, payload } = world();
      const again = { actAs: [bank, alice], commandId: 'c-1' };
      participant.create(IOU, payload, again);
      return refusal(() => participant.create(IOU, payload, again));
    },
    'and has it again in another test': () => {
      const { alice, payload } = world();
      participant.create(IOU, payload, { actAs: [bank, alice], commandId: 'c-1' });
      return participant.activeContracts({ party: alice }).length;
    },
    'is asked over its address, and by fetch': async () => {
      const { alice } = world();
      const [status, { party }] = await request(`/v2/parties/${encodeURIComponent(alice)}`).then(
        ([code, body]) => [code, body.partyDetails[0]] as const,
      );
      const answer = await canticle.fetch(new Request('http://anywhere/v2/version'));
      const [missing, refused] = await request('/v2/users', { user: { id: 'a b' } });
      const end = participant.ledgerEnd > 0;
      return [status, party === alice, answer.status, missing, refused.code, end];
    },
    'moves time': () => refusal(() => canticle.advanceTime('PT1H')),
    mints: () => refusal(() => token.mint(world().alice, '5.0')),
    'takes back': () => refusal(() => canticle.revert(canticle.snapshot())),
    'cuts a connection': () => refusal(() => participant.disconnect()),
  };
}
