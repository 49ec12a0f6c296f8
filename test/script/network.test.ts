/** Scripts on a network: its parties, its time, its users, and the ledger of the API. */
import { createCanticle, ScriptFailed } from 'canticle';
import { dar } from './world-scripts.js';

const canticle = createCanticle({ participants: ['first', 'second'], dars: [dar] });
const [, second] = canticle.participants;
const start = canticle.snapshot();
const gold = (of = canticle) =>
  of.participant.activeContracts({ template: '#script-tests:Main:Asset' });
afterEach(() => canticle.revert(start));
afterAll(() => canticle.close());

it('change the ledger, and return their result', () => {
  const party = canticle.runScript<string>('Main:setup');
  expect(party).toMatch(/^alice::1220/);
  expect(canticle.participant.activeContracts({ party })).toMatchObject([
    { payload: { owner: party, viewers: [], name: 'gold' } },
  ]);
});

it('have the same effect as commands of the API', () => {
  const { participant } = canticle;
  canticle.runScript('Main:setup');
  const byScript = participant.activeContracts();
  canticle.revert(start);
  const party = participant.allocateParty('alice');
  participant.create(
    '#script-tests:Main:Asset',
    { owner: party, viewers: [], name: 'gold' },
    { actAs: party },
  );
  expect(participant.activeContracts()).toEqual(byScript);
});

it('accept an argument as JSON of the Ledger API', () => {
  expect(canticle.runScript('Main:named', 'so')).toBe('so');
  expect(() => canticle.runScript('Main:named')).toThrow(
    'The script Main:named requires an argument.',
  );
  expect(() => canticle.runScript('Main:setup', 'so')).toThrow(
    'The script Main:setup does not take arguments.',
  );
  expect(() => canticle.runScript('Main:named', 5)).toThrow();
  expect(canticle.runScript('Main:measured', 1e-7)).toBe('0.0000001000');
  expect(() => canticle.runScript('Main:measured', Infinity)).toThrow();
  expect(canticle.runScript('Main:measured', '2.5')).toBe('2.5000000000');
});

it('fail with the error of the ledger', () => {
  expect(() => canticle.runScript('#script-tests:Main:refused')).toThrow(ScriptFailed);
  expect(gold()).toHaveLength(1);
  canticle.revert(start);
  expect(() => canticle.runScript('Main:refused')).toThrow(
    /^Script Main:refused failed: Submit failed: DAML_FAILURE: [^]*No, never[^]*\n {2}in main at Main:7:3\n[^]*exercise Main:Asset Refuse/,
  );
});

it('create users of the participant', () => {
  expect(canticle.runScript('Main:user')).toBeUndefined();
  expect(canticle.participant.engine.users.get('amy').primaryParty).toMatch(/^alice::/);
});

it("advance the network's time", () => {
  const { time } = canticle;
  const after = Date.parse(canticle.runScript<string>('Main:sleeps'));
  expect(after - Date.parse(time)).toBe(60_000);
});

it('allocate a party on the named participant', () => {
  const party = canticle.runScript<string>('Main:elsewhere');
  expect(second!.engine.hosts(party)).toBe(true);
  expect(canticle.participant.engine.hosts(party)).toBe(false);
});

it('accept names of participants only', () => {
  expect(() => canticle.runScript('Main:nowhere')).toThrow(
    'No participant third: there are first, second',
  );
});

it('act as several parties on one participant', () => {
  expect(() => canticle.runScript('Main:together')).not.toThrow();
  canticle.revert(start);
  expect(() => canticle.runScript('Main:apart')).toThrow(
    'All parties must be on the same participant',
  );
});

it('allocate a party on several participants, each of which sees its contracts', () => {
  const { participant } = canticle;
  const party = canticle.runScript<string>('Main:shared');
  const payload = { owner: party, viewers: [], name: 'gold' };
  second!.create('#script-tests:Main:Asset', payload, { actAs: party });
  expect(gold()).toMatchObject([{ payload }]);
  const [{ contractId } = { contractId: '' }] = participant.activeContracts({ party });
  participant.exercise(
    '#script-tests:Main:Asset',
    contractId,
    'Rename',
    { name: 'both' },
    { actAs: party },
  );
  expect(second!.activeContracts({ party })).toMatchObject([{ payload: { name: 'both' } }]);
  expect(party.split('::')[1]).toBe(second!.id.split('::')[1]);
});

it('run at the start, with initScript', () => {
  const other = createCanticle({ initScript: { script: 'Main:setup', dar } });
  expect(gold(other)).toHaveLength(1);
  void other.close();
  expect(() => createCanticle({ initScript: 'Main:absent' })).toThrow(
    'No package has a script Main:absent. Upload its DAR first, or say which it is.',
  );
  expect(() => createCanticle({ initScript: 5 as never })).toThrow(TypeError);
});

describe('The verb `script`', () => {
  it('runs a script in a scenario, and names its result', () => {
    const { scenario } = canticle;
    const party = scenario.script('Main:setup') as string;
    expect(gold()).toHaveLength(1);
    expect(party).toMatch(/^alice::/);
    expect(scenario.script('Main:named', { with: 'so' })).toBe('so');
  });

  it('fails with the error of the submission', () => {
    expect(() => canticle.scenario.script('Main:refused')).toThrow(
      expect.objectContaining({ code: 'DAML_FAILURE' }) as Error,
    );
    expect(() => canticle.scenario.script('Main:absent')).toThrow(
      'No package has a script Main:absent. Upload its DAR first, or say which it is.',
    );
  });
});
