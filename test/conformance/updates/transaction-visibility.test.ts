/** Conformance: the part of a transaction that each party sees, and the witnesses that it shows. */
import {
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  type LedgerApi,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { useLedgerApi, useParticipant } from '../../support/shared-ledger-api.js';
import { agreements, agreementsPackage } from '../support/agreements.js';
import {
  createdEvents,
  eventsOf,
  exercisedEvents,
  transactionsFor,
  transactionsIn,
} from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';
import { iou, trade, tradePackage } from '../support/trade.js';

const alpha = useLedgerApi({
  grpc: true,
  participants: [{ name: 'alpha' }, { name: 'beta' }, { name: 'delta' }],
  packages: [agreementsPackage, tradePackage],
});
const [beta, delta] = [useParticipant(alpha, 'beta'), useParticipant(alpha, 'delta')];
const allocate = (participant: number, hint: string) =>
  alpha.canticle.participants[participant]!.allocateParty(hint);
const [alice, gbpBank] = [allocate(0, 'alice'), allocate(0, 'gbp-bank')];
const [bob, eve] = [allocate(1, 'bob'), allocate(1, 'eve')];
const dkkBank = allocate(2, 'dkk-bank');

const transactions = async (api: LedgerApi, shape: Shape, ...parties: string[]) =>
  transactionsIn(await api.updates(transactionsFor(shape, parties)));
const byId = async (api: LedgerApi, updateId: string, shape: Shape, ...parties: string[]) => {
  const updateFormat = transactionsFor(shape, parties);
  return (await api.ok('/v2/updates/update-by-id', { updateId, updateFormat })).update.Transaction
    .value;
};

/** Exercises as the party, and gives the id of what was created last. */
async function exercised(api: LedgerApi, party: string, command: unknown): Promise<string> {
  const created = createdEvents(await api.transact(command, { actAs: party }));
  return created.at(-1).contractId;
}

/** An IOU of the bank's, handed to the owner. */
async function issued(
  at: { bank: LedgerApi; owner: LedgerApi },
  bank: string,
  owner: string,
  currency: string,
): Promise<string> {
  const issue = await at.bank.create(trade('Iou'), iou(bank, bank, currency), { actAs: bank });
  const offer = exercise(trade('Iou'), issue, 'Iou_Transfer', { newOwner: owner });
  const transfer = await exercised(at.bank, bank, offer);
  const accept = exercise(trade('IouTransfer'), transfer, 'IouTransfer_Accept');
  return exercised(at.owner, owner, accept);
}

const observedBy = (api: LedgerApi, contractId: string, owner: string, newObserver: string) =>
  exercised(api, owner, exercise(trade('Iou'), contractId, 'Iou_AddObserver', { newObserver }));

/** Alice's IOU for Bob's; Bob accepts. @returns the update's id */
async function traded(): Promise<string> {
  const pounds = await issued({ bank: alpha, owner: alpha }, gbpBank, alice, 'GBP');
  const base = await observedBy(alpha, pounds, alice, bob);
  const quote = await issued({ bank: delta, owner: beta }, dkkBank, bob, 'DKK');
  const offer = await alpha.create(
    trade('IouTrade'),
    { buyer: alice, seller: bob, base },
    { actAs: alice },
  );
  const { updateId } = await beta.submit(
    exercise(trade('IouTrade'), offer, 'IouTrade_Accept', { quote }),
    { actAs: bob },
  );
  return updateId;
}

/** Every node is a root or inside of one, and in order. @returns the roots' node ids */
function rootsOf(transaction: JsonAnswer): number[] {
  const roots: number[] = [];
  let covered = -1;
  let before = -1;
  for (const { nodeId, lastDescendantNodeId = nodeId } of eventsOf(transaction)) {
    expect(nodeId).toBeGreaterThan(before);
    expect(lastDescendantNodeId).toBeGreaterThanOrEqual(nodeId);
    if (nodeId > covered) {
      roots.push(nodeId);
      covered = lastDescendantNodeId;
    } else expect(lastDescendantNodeId).toBeLessThanOrEqual(covered);
    before = nodeId;
  }
  return roots;
}

conformanceSuite('TransactionServiceVisibilityIT', {}, (reproduce) => {
  reproduce(
    'TXLedgerEffectsBlinding',
    'traders see the whole trade, and banks the transfers of their IOUs (B-EVT-008, B-EVT-009)',
    async () => {
      const updateId = await traded();
      const shape: [LedgerApi, string, number, number][] = [
        [alpha, alice, 9, 1],
        [beta, bob, 9, 1],
        [alpha, gbpBank, 4, 2],
        [delta, dkkBank, 4, 2],
      ];
      for (const [api, party, events, roots] of shape) {
        const transaction = await byId(api, updateId, 'LEDGER_EFFECTS', party);
        expect(transaction.events).toHaveLength(events);
        expect(rootsOf(transaction)).toHaveLength(roots);
      }
    },
  );

  reproduce(
    'TXTreeLastDescendant',
    'node ids increase, and descendants are inside their parents',
    async () => {
      await traded();
      for (const [api, party] of [
        [alpha, alice],
        [beta, bob],
        [alpha, gbpBank],
        [delta, dkkBank],
      ] as const) {
        const seen = await transactions(api, 'LEDGER_EFFECTS', party);
        expect(seen.length).toBeGreaterThan(2);
        for (const transaction of seen) expect(rootsOf(transaction)).not.toEqual([]);
        // The transactions of a party on a participant that does not host it.
        const elsewhere = await transactions(alpha, 'LEDGER_EFFECTS', party);
        expect(elsewhere).not.toEqual([]);
        for (const transaction of elsewhere) expect(rootsOf(transaction)).not.toEqual([]);
      }
    },
  );

  reproduce('TXNotDivulge', 'a party that is not a stakeholder sees no events', async () => {
    await alpha.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    expect(await transactions(alpha, 'ACS_DELTA', bob)).toEqual([]);
    expect(await transactions(beta, 'ACS_DELTA', bob)).toEqual([]);
  });

  /** The command ids that a stakeholder sees who did not submit: four times the same command. */
  async function hidden(shape: Shape, listener: string, listening: LedgerApi) {
    const factory = create(agreements('AgreementFactory'), { giver: alice, receiver: listener });
    const ids: string[] = [];
    for (let i = 0; i < 4; i++)
      ids.push((await alpha.submit(factory, { actAs: alice, commandId: `own-${i}` })).updateId);
    const idsShown = async (api: LedgerApi, party: string) =>
      [await byId(api, ids[0]!, shape, party), ...(await transactions(api, shape, party))].map(
        ({ updateId, commandId }) => [updateId, commandId],
      );
    const each = (commandIdOf: (at: number) => string) =>
      [0, 0, 1, 2, 3].map((at) => [ids[at], commandIdOf(at)]);
    expect(await idsShown(listening, listener)).toEqual(each(() => ''));
    expect(await idsShown(alpha, alice)).toEqual(each((at) => `own-${at}`));
  }
  reproduce(
    'TXLedgerEffectsHideCommandIdToNonSubmittingStakeholders',
    'stakeholders on another participant see no command id',
    () => hidden('LEDGER_EFFECTS', bob, beta),
  );
  reproduce(
    'TXHideCommandIdToNonSubmittingStakeholders',
    'stakeholders on another participant see no command id',
    () => hidden('ACS_DELTA', bob, beta),
  );
  reproduce(
    'TXLedgerEffectsHideCommandIdToNonSubmittingSameParticipantStakeholders',
    'stakeholders on the same participant see no command id',
    () => hidden('LEDGER_EFFECTS', gbpBank, alpha),
  );
  reproduce(
    'TXAcsDeltaHideCommandIdToNonSubmittingSameParticipantStakeholders',
    'stakeholders on the same participant see no command id',
    () => hidden('ACS_DELTA', gbpBank, alpha),
  );

  /** The command id that the second of two submitters sees. */
  async function shown(shape: Shape) {
    const both = [alice, gbpBank];
    const contract = create(agreements('MultiPartyContract'), { parties: both, value: '' });
    const options = { actAs: both, commandId: 'ours' };
    const format = transactionFormat(shape, eventFormat(both));
    const { updateId } = await alpha.transact(contract, options, format);
    expect((await byId(alpha, updateId, shape, gbpBank)).commandId).toBe('ours');
    const seen = await transactions(alpha, shape, gbpBank);
    expect(seen.map(({ commandId }) => commandId)).toEqual(['ours']);
  }
  reproduce(
    'TXLedgerEffectsShowCommandIdToSubmittingStakeholders',
    'each submitter sees the command id',
    () => shown('LEDGER_EFFECTS'),
  );
  reproduce(
    'TXAcsDeltaShowCommandIdToSubmittingStakeholders',
    'each submitter sees the command id',
    () => shown('ACS_DELTA'),
  );

  reproduce(
    'TXNotDiscloseCreateToNonSignatory',
    'the party that is not selected as signatory sees no creation',
    async () => {
      const payload = { whichSign: false, signTrue: alice, signFalse: bob };
      await beta.submit(create(agreements('BranchingSignatories'), payload), { actAs: bob });
      const seen = (await transactions(beta, 'ACS_DELTA', bob)).flatMap(createdEvents);
      expect(seen.map(({ createArgument }) => createArgument)).toEqual([payload]);
      expect(await transactions(alpha, 'ACS_DELTA', alice)).toEqual([]);
    },
  );

  reproduce(
    'TXDiscloseCreateToSignatory',
    'the signatory and the selected controller see the creation',
    async () => {
      const payload = { giver: alice, whichCtrl: true, ctrlTrue: bob, ctrlFalse: eve };
      await alpha.submit(create(agreements('BranchingControllers'), payload), { actAs: alice });
      for (const [api, party] of [
        [alpha, alice],
        [beta, bob],
      ] as const) {
        const created = (await transactions(api, 'ACS_DELTA', party)).flatMap(createdEvents);
        expect(created.map(({ createArgument }) => createArgument)).toEqual([payload]);
      }
      expect(await transactions(beta, 'ACS_DELTA', eve)).toEqual([]);
    },
  );

  reproduce(
    'TXNotDiscloseCreateToNonChosenBranchingController',
    'the controller that is not selected sees no creation',
    async () => {
      const payload = { giver: alice, whichCtrl: false, ctrlTrue: bob, ctrlFalse: eve };
      await alpha.submit(create(agreements('BranchingControllers'), payload), { actAs: alice });
      expect(await transactions(beta, 'ACS_DELTA', bob)).toEqual([]);
      const seen = (await transactions(beta, 'ACS_DELTA', eve)).flatMap(createdEvents);
      expect(seen.map(({ createArgument }) => createArgument)).toEqual([payload]);
    },
  );

  reproduce('TXDiscloseCreateToObservers', 'observers see the creation', async () => {
    const contract = create(model('WithObservers'), { giver: alice, observers: [bob, eve] });
    const { updateId } = await alpha.submit(contract, { actAs: alice });
    const seen = await transactions(beta, 'ACS_DELTA', bob, eve);
    expect(seen.map((transaction) => transaction.updateId)).toEqual([updateId]);
  });

  reproduce(
    'TXFlatTransactionsVisibility',
    'stakeholders see the ACS changes of their contracts only',
    async () => {
      const updateId = await traded();
      const created = createdEvents(await byId(beta, updateId, 'LEDGER_EFFECTS', bob)).filter(
        ({ templateId }) => templateId.endsWith(':Trade:Iou'),
      );
      const ownedBy = (owner: string) =>
        created.find(({ createArgument }) => createArgument.owner === owner).contractId;
      const seen = async (api: LedgerApi, party: string) =>
        (await transactions(api, 'ACS_DELTA', party))
          .flatMap(createdEvents)
          .map(({ contractId }) => contractId);
      expect(created).toHaveLength(2);
      const [forAlice, forBob] = [await seen(alpha, alice), await seen(beta, bob)];
      expect(forAlice).toContain(ownedBy(alice));
      expect(forAlice).not.toContain(ownedBy(bob));
      expect(forBob).toContain(ownedBy(bob));
      expect(forBob).not.toContain(ownedBy(alice));
    },
  );

  reproduce(
    ['TXRequestingPartiesWitnessVisibility', 'TXLedgerEffectsRequestingPartiesWitnessVisibility'],
    'events name only requested parties as witnesses',
    async (caseId) => {
      const shape = caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
      const pounds = await issued({ bank: alpha, owner: alpha }, gbpBank, alice, 'GBP');
      await observedBy(alpha, pounds, alice, bob);
      const witnesses = async (api: LedgerApi, ...parties: string[]) => [
        ...new Set(
          (await transactions(api, shape, ...parties))
            .flatMap(eventsOf)
            .flatMap(({ witnessParties }) => witnessParties),
        ),
      ];
      expect(await witnesses(alpha, alice)).toEqual([alice]);
      expect(await witnesses(beta, bob)).toEqual([bob]);
      expect((await witnesses(alpha, alice, gbpBank)).sort()).toEqual([alice, gbpBank].sort());
    },
  );
});

conformanceSuite('TransactionServiceStakeholdersIT', {}, (reproduce) => {
  const observed = (observers: string[]) =>
    create(model('WithObservers'), { giver: alice, observers });

  reproduce('TXStakeholders', 'the created event names signatories and observers', async () => {
    await alpha.submit(observed([bob]), { actAs: alice });
    for (const api of [alpha, beta]) {
      const seen = await transactions(api, 'ACS_DELTA', alice, bob);
      expect(seen.flatMap(createdEvents)).toMatchObject([
        { signatories: [alice], observers: [bob] },
      ]);
    }
  });

  reproduce('TXnoSignatoryObservers', 'observers do not include a signatory', async () => {
    await alpha.submit(observed([alice, bob]), { actAs: alice });
    for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const) {
      const seen = (await transactions(alpha, shape, alice)).flatMap(eventsOf);
      expect(seen.map(({ observers }) => observers)).toEqual([[bob]]);
    }
  });

  const transient = (observers: string[]) =>
    createAndExercise(model('WithObservers'), { giver: alice, observers }, 'Archive');
  /** Of changes to the ACS, by a wildcard and by the template. */
  const changesFor = async (party: string) => [
    ...(await transactions(alpha, 'ACS_DELTA', party)),
    ...(await alpha.updates(
      transactionsFor('ACS_DELTA', [party], byTemplate(model('WithObservers'))),
    )),
  ];
  reproduce(
    'TXTransientObservableSubmitter',
    'the submitter sees no ACS change of a transient contract',
    async () => {
      await alpha.submit(transient([]), { actAs: alice });
      expect(await changesFor(alice)).toEqual([]);
    },
  );
  reproduce(
    'TXTransientNotObservableNoSubmitters',
    'observers see no ACS change of a transient contract',
    async () => {
      for (let i = 0; i < 2; i++) await alpha.submit(transient([gbpBank]), { actAs: alice });
      expect(await changesFor(gbpBank)).toEqual([]);
    },
  );
  reproduce(
    'TXTransientSubmitAndWaitForTransaction',
    'the answer for a transient contract has no events',
    async () => {
      const transaction = await alpha.transact(transient([]), { actAs: alice });
      expect(transaction).toMatchObject({ events: [], updateId: expect.stringMatching(/^1220/) });
    },
  );
});

conformanceSuite('WitnessesIT', {}, (reproduce) => {
  reproduce('RespectDisclosureRules', 'each node has the expected witnesses', async () => {
    const template = agreements('Witnesses');
    const [signatory, observer, actor] = ['s', 'o', 'a'].map((hint) => allocate(0, hint)) as [
      string,
      string,
      string,
    ];
    const everyone = [signatory, observer, actor];
    const witnessesOf = ({ witnessParties }: JsonAnswer) => [...witnessParties].sort();
    await alpha.submit(create(template, { signatory, observer, actor }), { actAs: signatory });
    const format = transactionsFor('LEDGER_EFFECTS', everyone, byTemplate(template, true));
    const [made, ...more] = transactionsIn(await alpha.updates(format)).flatMap(eventsOf);
    expect(more).toEqual([]);
    expect(witnessesOf(made)).toEqual([signatory, observer].sort());

    const { contractId, templateId, createdEventBlob } = made;
    const disclosedContracts = [{ templateId, contractId, createdEventBlob, synchronizerId: '' }];
    const exercisedBy = async (choice: string) => {
      const options = { actAs: actor, disclosedContracts };
      const { updateId } = await alpha.submit(exercise(template, contractId, choice), options);
      const seen = await byId(alpha, updateId, 'LEDGER_EFFECTS', ...everyone);
      expect(seen.events).toHaveLength(1);
      const [event] = exercisedEvents(seen);
      expect(event).toMatchObject({ contractId, choice, actingParties: [actor] });
      return witnessesOf(event);
    };
    expect(await exercisedBy('WitnessesNonConsumingChoice')).toEqual([signatory, actor].sort());
    expect(await exercisedBy('WitnessesChoice')).toEqual(everyone.sort());
  });
});
