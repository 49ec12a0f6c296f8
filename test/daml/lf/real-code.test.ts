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

test('what is missing is said', () => {
  expect(realDar('no-such.dar')).toBeUndefined();
});
