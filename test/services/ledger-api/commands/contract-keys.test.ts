/** Contract keys over HTTP: prefetched keys, disclosed contracts, and participants that know part of the contracts. */
import { createCanticle, type Canticle, startCanticle } from 'canticle';
import { TestClient } from '../../../support/client.js';
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  LedgerApi,
  wildcard,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { key, keysPackage } from '../../../support/daml/keys-package.js';
import { useLedgerApi, useParties } from '../../../support/shared-ledger-api.js';

const api = useLedgerApi({ packages: [keysPackage] });
const [alice, bob] = useParties(api, 'alice', 'bob');
const byId = (name: string) => `${keysPackage.id}:Keys:${name}`;

const touch = (owner: string, by: string) => ({
  ExerciseByKeyCommand: {
    templateId: key('Badge'),
    contractKey: owner,
    choice: 'Touch',
    choiceArgument: { by },
  },
});

describe('prefetched keys (B-CMD-047)', () => {
  const refusal = async (prefetched: object) => {
    const commands = api.commands(create(key('Badge'), { owner: alice }), {
      actAs: alice,
      prefetchContractKeys: [prefetched],
    });
    const { status, body } = await api.post('/v2/commands/submit-and-wait', commands);
    return [status, body.code];
  };
  const badge = { templateId: byId('Badge'), contractKey: alice };

  it.each([
    ['a limit', { ...badge, limit: 7 }, [200, undefined]],
    ['a limit that overflows', { ...badge, limit: -1 }, [200, undefined]],
    ['a limit of 0', { ...badge, limit: 0 }, [400, 'INVALID_ARGUMENT']],
    ['a package name', { ...badge, templateId: key('Badge') }, [500, 'NA']],
    [
      'a template without a key',
      { ...badge, templateId: byId('Plain') },
      [404, 'TEMPLATES_OR_INTERFACES_NOT_FOUND'],
    ],
    [
      'an unknown package',
      { ...badge, templateId: `${'0'.repeat(64)}:Keys:Badge` },
      [404, 'TEMPLATES_OR_INTERFACES_NOT_FOUND'],
    ],
  ])('with %s', async (_what, prefetched, expected) => {
    expect(await refusal(prefetched)).toEqual(expected);
  });

  it('are checked before the limit of passes (R-34-049, R-36-047)', async () => {
    const causeOf = async (limit: number) => {
      const commands = api.commands(create(key('Badge'), { owner: alice }), {
        actAs: alice,
        tapsMaxPasses: 0,
        prefetchContractKeys: [{ ...badge, limit }],
      });
      return (await api.post('/v2/commands/submit-and-wait', commands)).body.cause;
    };
    expect(await causeOf(0)).toMatch(/limit must be a positive integer, but got 0/);
    expect(await causeOf(1)).toMatch(/taps_max_passes must be strictly positive/);
  });

  it('are parsed with the type of the key', async () => {
    const half = { templateId: byId('Account'), contractKey: { _1: alice } };
    expect(await refusal(half)).toEqual([400, 'COMMAND_PREPROCESSING_FAILED']);
  });
});

it('each kind of command finds by key a contract that the transaction created or used by id', async () => {
  const account = { owner: alice, number: 'own', readers: [] };
  const clerk = await api.create(key('Clerk'), { owner: alice, delegate: alice }, { actAs: alice });
  const { events } = await api.transact(
    [
      createAndExercise(key('Account'), account, 'Flash', { number: 'another' }),
      exercise(key('Clerk'), clerk, 'Query', { key: { _1: alice, _2: 'own' }, count: '5' }),
    ],
    { actAs: alice },
    { eventFormat: eventFormat([alice]), transactionShape: SHAPE },
  );
  const made = events[0].CreatedEvent.contractId;
  expect(events.at(-1).ExercisedEvent.exerciseResult).toEqual([made]);
});

describe('a disclosed contract', () => {
  const blobOf = async (contractId: string) => {
    const events = await api.active(eventFormat([alice], wildcard(true)));
    return events.find((event: JsonAnswer) => event.contractId === contractId).createdEventBlob;
  };

  it('is found by the key in its blob, before contracts of the ledger', async () => {
    const older = await api.create(key('Badge'), { owner: alice }, { actAs: alice });
    const newer = await api.create(key('Badge'), { owner: alice }, { actAs: alice });
    const touched = async (options: object) => {
      const format = { eventFormat: eventFormat([alice]), transactionShape: SHAPE };
      const { events } = await api.transact(
        touch(alice, alice),
        { actAs: alice, ...options },
        format,
      );
      return events[0].ExercisedEvent.contractId;
    };
    const createdEventBlob = await blobOf(older);
    expect(await touched({})).toBe(newer);
    expect(await touched({ disclosedContracts: [{ createdEventBlob }] })).toBe(older);
  });

  it('with a changed key is rejected when it is found', async () => {
    const badge = await api.create(key('Badge'), { owner: alice }, { actAs: alice });
    const blob = Buffer.from(await blobOf(badge), 'base64').toString('latin1');
    const key32 = api.canticle.network.contracts.get(badge)!.instance.key!.hash;
    const hash = Buffer.from(key32, 'hex').toString('latin1');
    const changed = blob.replace(
      hash,
      hash.slice(0, -1) + String.fromCharCode(hash.charCodeAt(31) ^ 1),
    );
    const createdEventBlob = Buffer.from(changed, 'latin1').toString('base64');
    const disclosedContracts = [{ createdEventBlob }];
    expect(await api.submitRefusal(touch(alice, bob), { actAs: bob, disclosedContracts })).toBe(
      'CONTRACT_KEY_NOT_FOUND',
    );
    const byContractId = {
      ExerciseCommand: {
        templateId: key('Badge'),
        contractId: badge,
        choice: 'Touch',
        choiceArgument: { by: bob },
      },
    };
    expect(await api.submitRefusal(byContractId, { actAs: bob, disclosedContracts })).toBe(
      'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED',
    );
  });
});

const SHAPE = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';

it('a command by key uses the newest contract only, and others stay on their synchronizer', () => {
  const synchronizers = [{ alias: 'global' }, { alias: 'app' }];
  const { participant, network } = createCanticle({ synchronizers, packages: [keysPackage] });
  const owner = participant.allocateParty('owner', { synchronizers: ['global', 'app'] });
  const by = { actAs: owner };
  const badge = (synchronizer: string) =>
    participant.create(key('Badge'), { owner }, { ...by, synchronizer });
  const [older, newest] = [badge('app'), badge('global')];
  const at = (id: string) => participant.contract(id)?.synchronizerId;
  const before = [older, newest].map(at);
  participant.exerciseByKey(key('Badge'), owner, 'Touch', { by: owner }, by);
  expect([older, newest].map(at)).toEqual(before);
  expect(network.updates.at(network.updates.length - 1)?.synchronizerId).toBe(before[1]);
});

it('a contract in flight is not found by its key, and is the newest after its assignment', () => {
  const synchronizers = [{ alias: 'global' }, { alias: 'app' }];
  const { participant } = createCanticle({ synchronizers, packages: [keysPackage] });
  const owner = participant.allocateParty('owner', { synchronizers: ['global', 'app'] });
  const by = { actAs: owner, synchronizer: 'global' };
  const account = () =>
    participant.create(key('Account'), { owner, number: 'one', readers: [] }, by);
  const clerk = participant.create(key('Clerk'), { owner, delegate: owner }, by);
  const [older, newer] = [account(), account()];
  const found = () =>
    participant.exercise(key('Clerk'), clerk, 'Fetch', { key: { _1: owner, _2: 'one' } }, by)
      .result;
  expect(found()).toBe(newer);
  const there = participant.unassign(newer, { to: 'app' });
  expect(found()).toBe(older);
  participant.assign(there);
  participant.assign(participant.unassign(older, { to: 'app' }));
  participant.assign(participant.unassign(older, { to: 'global' }));
  participant.unassign(newer, { to: 'global' });
  expect(found()).toBe(older);
});

it('a revert undoes the effects of a query, and keeps the earlier contracts', () => {
  const canticle = createCanticle({ packages: [keysPackage] });
  const { participant } = canticle;
  const owner = participant.allocateParty('owner');
  const by = { actAs: owner };
  const account = { owner, number: 'one', readers: [] };
  const id = participant.create(key('Account'), account, by);
  const clerk = participant.create(key('Clerk'), { owner, delegate: owner }, by);
  const active = () => participant.activeContracts().map(({ contractId }) => contractId);
  const [before, there] = [canticle.snapshot(), active()];
  const at = { key: { _1: owner, _2: 'one' } };
  participant.exercise(key('Clerk'), clerk, 'CloseByKey', at, by);
  expect(active()).not.toContain(id);
  canticle.revert(before);
  expect(active()).toEqual(there);
  expect(participant.exercise(key('Clerk'), clerk, 'Fetch', at, by).result).toBe(id);
});

describe('on several participants', () => {
  let canticle: Canticle;
  const clients: TestClient[] = [];
  const at = (name: string): LedgerApi => {
    const url = { value: canticle.ledgerApis[name] };
    const client = new TestClient(Object.create(canticle, { url }), {});
    clients.push(client);
    return new LedgerApi(client);
  };
  beforeEach(async () => {
    const participants = [{ name: 'one' }, { name: 'two' }];
    canticle = await startCanticle({ seed: 1, participants, packages: [keysPackage] });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  it('each participant finds the contracts of its parties', async () => {
    const [one, two] = [at('one'), at('two')];
    const [owner, reader] = [
      canticle.participants[0]!.allocateParty('owner'),
      canticle.participants[1]!.allocateParty('reader'),
    ];
    const account = (number: string, readers: string[]) =>
      one.create(key('Account'), { owner, number, readers }, { actAs: owner });
    await account('shared', [reader]);
    await account('private', []);
    const close = (number: string) => ({
      ExerciseByKeyCommand: {
        templateId: key('Account'),
        contractKey: { _1: owner, _2: number },
        choice: 'Close',
        choiceArgument: {},
      },
    });
    expect(await two.submitRefusal(close('private'), { actAs: reader })).toBe(
      'CONTRACT_KEY_NOT_FOUND',
    );
    // It is found, and its owner would have to agree.
    expect(await two.submitRefusal(close('shared'), { actAs: reader })).toBe(
      'DAML_AUTHORIZATION_ERROR',
    );
    const [event] = await two.active(eventFormat([reader]));
    expect(event.contractKey).toEqual({ _1: owner, _2: 'shared' });
    await one.submit(close('shared'), { actAs: owner });
    expect(await two.submitRefusal(close('shared'), { actAs: reader })).toBe(
      'CONTRACT_KEY_NOT_FOUND',
    );
  });
});
