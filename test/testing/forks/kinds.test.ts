/** Live sides of other kinds: of release 3.4, with contracts between two synchronizers, with identity providers. */
import { join } from 'node:path';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

type Json = any;
type Options = NonNullable<Parameters<typeof startCanticle>[0]>;

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const folder = useTemporaryFolder();
const open: Canticle[] = [];
const started = async (options: Options): Promise<Canticle> => {
  const made = await startCanticle(options);
  open.push(made);
  return made;
};
const forked = (live: Canticle, options: Omit<NonNullable<Options['fork']>, 'url'> = {}) =>
  started({ fork: { url: live.url, cache: false, ...options } });
afterAll(() => Promise.all(open.map((each) => each.close())));

const WILDCARD = {
  cumulative: [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ],
};
const acs = async (of: Canticle): Promise<Json[]> => {
  const body = {
    eventFormat: { filtersByParty: {}, filtersForAnyParty: WILDCARD, verbose: false },
    activeAtOffset: of.participant.ledgerEnd,
  };
  const entries = (await of.handle({ path: '/v2/state/active-contracts', body })).json() as Json[];
  return entries.map(({ streamContinuationToken: _, ...entry }) => entry);
};
const people = (of: Canticle) =>
  ['bank', 'alice'].map((hint) => of.participant.allocateParty(hint)) as [string, string];
const iou = ([issuer, owner]: readonly string[]) => ({
  ...{ issuer, owner, currency: 'EUR', amount: '4.0', observers: [] },
});

describe('of release 3.4', () => {
  let live: Canticle;
  let parties: [string, string];
  beforeAll(async () => {
    live = await started({
      seed: 4,
      apiVersion: '3.4',
      auth: { services: [{ type: 'built-in-issuer' }] },
    });
    parties = people(live);
    for (let i = 0; i < 3; i += 1)
      live.participant.create(IOU, iou(parties), { actAs: parties, commandId: `made-${i}` });
    live.participant.engine.users.create({ id: 'reader' }, [{ kind: 'CanReadAsAnyParty' }]);
    live.participant.engine.users.create({ id: 'nobody' }, []);
  });

  it('reads its contracts over a WebSocket, unchanged', async () => {
    const token = await live.accessToken({ sub: 'reader' });
    live.requests.clear();
    const here = await forked(live, { token });
    const requests = live.requests.list().map(({ method, path }) => `${method} ${path}`);
    expect(requests.filter((each) => each.includes('active-contracts'))).toEqual([
      'GET /v2/state/active-contracts',
    ]);
    const request = { path: '/v2/version' };
    expect((await here.handle(request)).json()).toEqual((await live.handle(request)).json());
    expect(here.network.synchronizers[0]!.protocol.version).toBe(34);
    const [there] = [live.participant.activeContracts({ template: IOU })];
    expect(there).toHaveLength(3);
    expect(here.participant.activeContracts({ template: IOU })).toEqual(there);
    const split = [live, here].map(({ participant }) => {
      const [first] = participant.activeContracts({ template: IOU });
      const { contractId } = first!;
      participant.exercise(
        IOU,
        contractId,
        'Iou_Split',
        { splitAmount: '1.0' },
        { actAs: parties },
      );
      return [participant.ledgerEnd, participant.activeContracts({ template: IOU }).length];
    });
    expect(split[1]).toEqual(split[0]);
  });

  it.each([
    ['no token', undefined, 'It requires a token: use token'],
    ['a user without the right to read', 'nobody', 'Name the parties'],
  ])('reports the fault of %s', async (_, sub, why) => {
    const token = sub && (await live.accessToken({ sub }));
    await expect(forked(live, { token })).rejects.toThrow(why);
  });

  it('the next start reads an interrupted stream again, with the same limit', async () => {
    const cache = join(folder(), 'streamed');
    const token = await live.accessToken({ sub: 'reader' });
    const rule = live.faults.add({
      on: 'postV2StateActive-contracts',
      do: { cut: 2 },
    });
    await expect(forked(live, { token, cache })).rejects.toThrow('closed before its end');
    rule.remove();
    const here = await forked(live, { token, cache });
    expect(here.participant.activeContracts().length).toBe(
      live.participant.activeContracts().length,
    );
    await expect(forked(live, { token, maxContracts: 2 })).rejects.toThrow(
      'it has more than 2 active contracts',
    );
  });
});

describe('with contracts in flight', () => {
  let live: Canticle;
  let parties: [string, string];
  let [left, moved] = ['', ''];
  let at: number;
  beforeAll(async () => {
    live = await started({ seed: 6, synchronizers: ['one', 'two'] });
    parties = people(live);
    const { participant } = live;
    const made = [1, 2, 3].map(() => participant.create(IOU, iou(parties), { actAs: parties }));
    [left, moved] = made as [string, string];
    participant.unassign(left, { to: 'two', submitter: parties[0] });
    const moving = participant.unassign(moved, { to: 'two' });
    at = participant.ledgerEnd;
    participant.assign(moving);
  });

  it('keeps the location of each contract, and can assign it', async () => {
    const here = await forked(live);
    const [was, is] = [await acs(live), await acs(here)];
    expect(was.flatMap(({ contractEntry }) => Object.keys(contractEntry)).sort()).toEqual([
      ...['JsActiveContract', 'JsActiveContract', 'JsActiveContract'],
      'JsIncompleteUnassigned',
    ]);
    expect(is).toEqual(was);
    const { contractEntry } = was.at(-1);
    const { reassignmentId } = contractEntry.JsIncompleteUnassigned.unassignedEvent;
    const again = createCanticle({ load: here.dump() });
    expect(Buffer.compare(again.dump(), here.dump())).toBe(0);
    const after = [live, here, again].map((each) => {
      const before = each.snapshot();
      expect(() => each.participant.assign(reassignmentId, { submitter: parties[1] })).toThrow(
        'REASSIGNMENT_VALIDATION_FAILED',
      );
      each.participant.assign(reassignmentId, { submitter: parties[0] });
      const state = each.network.contracts.state(left);
      each.revert(before);
      return state;
    });
    expect(after[0]).toMatchObject({ kind: 'active', reassignmentCounter: 1 });
    expect(after.slice(1)).toEqual([after[0], after[0]]);
    here.advanceTime('PT2M');
    live.advanceTime('PT2M');
    expect(here.network.contracts.state(left)).toEqual(live.network.contracts.state(left));
    expect(here.participant.activeContracts()).toHaveLength(4);
  });

  it('keeps contracts in flight that were in flight at an earlier offset', async () => {
    const here = await forked(live, { at });
    const kinds = (await acs(here)).flatMap(({ contractEntry }) => Object.keys(contractEntry));
    expect(kinds.filter((each) => each === 'JsIncompleteUnassigned')).toHaveLength(2);
    expect(here.network.contracts.state(moved)).toMatchObject({ kind: 'inFlight' });
  });

  it('shows contracts with only a visible assignment as active and as assigned', async () => {
    const entries = await acs(live);
    const { JsActiveContract: active } = entries.find(
      ({ contractEntry }) => contractEntry.JsActiveContract?.reassignmentCounter === 1,
    ).contractEntry;
    const { createdEvent, synchronizerId: target, reassignmentCounter } = active;
    const source = `far::${'12'.repeat(34)}`;
    const move = { source, target, reassignmentId: '00aa', submitter: parties[0] };
    const assignedEvent = { ...move, reassignmentCounter, createdEvent };
    const contractEntry = { JsIncompleteAssigned: { assignedEvent } };
    const activeContracts = [...entries, { workflowId: '', contractEntry }];
    const rule = live.use('postV2StateActive-contracts-page', { body: { activeContracts } });
    const here = await forked(live);
    rule.remove();
    expect((await acs(here)).find((each) => 'JsIncompleteAssigned' in each.contractEntry)).toEqual({
      workflowId: '',
      contractEntry,
    });
    const [contract] = [here.participant.contract(moved)];
    expect(contract?.contractId).toBe(moved);
  });
});

it('copies its identity providers and their parties, and reports that it does not copy users', async () => {
  const live = await started({});
  const config = {
    identityProviderId: 'mine',
    issuer: 'https://issuer.example',
    jwksUrl: 'https://issuer.example/jwks',
  };
  await live.handle({ path: '/v2/idps', body: { identityProviderConfig: config } });
  const body = { partyIdHint: 'dave', identityProviderId: 'mine' };
  const made = (await live.handle({ path: '/v2/parties', body })).json() as Json;
  const lines: string[] = [];
  const here = await forked(live, { onProgress: (line) => void lines.push(line) });
  expect(lines).toContain(
    'no operation lists the users of its identity providers: the fork has none of them',
  );
  for (const path of ['/v2/idps', '/v2/parties?identity-provider-id=mine', '/v2/parties'])
    expect((await here.handle({ path })).json()).toEqual((await live.handle({ path })).json());
  const { party } = made.partyDetails;
  const { partyDetails } = (
    await here.handle({ path: `/v2/parties/${party}?identity-provider-id=mine` })
  ).json() as Json;
  expect(partyDetails[0].identityProviderId).toBe('mine');
});
