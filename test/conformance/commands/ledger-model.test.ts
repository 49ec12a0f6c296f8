/** Conformance: the ledger model's rules: consistency, authorization, privacy, on two participants. */
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type Submit,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParticipant, useParties } from '../../support/shared-ledger-api.js';
import { createdEvents, transactionsFor, transactionsIn } from '../support/events.js';
import { paint, paintPackage } from '../support/paint.js';
import { conformanceSuite } from '../support/suite.js';

const alpha = useLedgerApi({
  grpc: true,
  packages: [paintPackage],
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const beta = useParticipant(alpha, 'beta');
const [bank, owner, alice, bob] = useParties(alpha, 'bank', 'owner', 'alice', 'bob');
const [painter, stranger] = ['painter', 'stranger'].map((hint) =>
  alpha.canticle.participants[1]!.allocateParty(hint),
) as [string, string];

const amount = '1.0';
const iou = (payer = bank) =>
  alpha.create(paint('Iou'), { payer, owner, amount }, { actAs: payer });

const submit = (api: LedgerApi, submitted: unknown, options: Submit) =>
  api.post('/v2/commands/submit-and-wait', api.commands(submitted, options));
type Submission = ReturnType<typeof submit>;
const expectAccepted = async (submission: Submission) =>
  expect((await submission).status).toBe(200);
const expectNotFound = (submission: Submission) =>
  expectRefused(submission, 'CONTRACT_NOT_FOUND', {
    cause: 'Contract could not be found',
    definite: false,
  });
const expectUnauthorized = (submission: Submission, cause: string) =>
  expectRefused(submission, 'DAML_AUTHORIZATION_ERROR', { cause, definite: false });

/** Created events of the transaction, as one party sees it. */
async function createdBy(api: LedgerApi, submitted: unknown, actAs: string, more: object = {}) {
  const format = transactionFormat('LEDGER_EFFECTS', eventFormat([actAs], wildcard()));
  return createdEvents(await api.transact(submitted, { actAs, ...more }, format));
}
/** The only one of its template. */
function ofEntity(events: JsonAnswer[], entity: string): JsonAnswer {
  const found = events.filter(
    ({ templateId }) => templateId === `${paintPackage.id}:Paint:${entity}`,
  );
  expect(found).toHaveLength(1);
  return found[0];
}

const transfer = (id: string, newOwner: string) =>
  exercise(paint('Iou'), id, 'Transfer', { newOwner });
const shared = () =>
  alpha.create(paint('Shared'), { payer: bank, owner1: owner, owner2: painter }, { actAs: bank });
const consume = (id: string, by: 1 | 2) => exercise(paint('Shared'), id, `Consume${by}`);
const offer = () =>
  beta.create(
    paint('Offer'),
    { painter, houseOwner: owner, obligor: bank, amount },
    { actAs: painter },
  );
const accept = (id: string, iouId: string) =>
  exercise(paint('Offer'), id, 'Accept', { iou: iouId });

/** The IOUs in a party's updates, as disclosed contracts. */
async function disclosed(party: string): Promise<JsonAnswer[]> {
  const format = transactionsFor('ACS_DELTA', [party], byTemplate(paint('Iou'), true));
  return transactionsIn(await alpha.updates(format))
    .flatMap(createdEvents)
    .map(({ templateId, contractId, createdEventBlob }) => {
      return { templateId, contractId, createdEventBlob, synchronizerId: '' };
    });
}

conformanceSuite('SemanticTests', {}, (reproduce, _, overJson) => {
  reproduce('SemanticDoubleSpendBasic', 'rejects the second transfer of a contract', async () => {
    const id = await iou();
    await expectAccepted(submit(alpha, transfer(id, painter), { actAs: owner }));
    await expectNotFound(submit(alpha, transfer(id, stranger), { actAs: owner }));
  });

  reproduce(
    'SemanticConcurrentDoubleSpend',
    'accepts one of ten concurrent exercises on a contract',
    async () => {
      for (let contracts = 0; contracts < 2; contracts++) {
        const id = await shared();
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, at) =>
            at % 2 === 0
              ? submit(alpha, consume(id, 1), { actAs: owner })
              : submit(beta, consume(id, 2), { actAs: painter }),
          ),
        );
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused).toHaveLength(9);
        for (const answer of refused) await expectNotFound(Promise.resolve(answer));
      }
    },
  );

  reproduce(
    'SemanticDoubleSpendSameTx',
    'rejects two transfers in one transaction with CONTRACT_NOT_ACTIVE',
    async () => {
      const id = await iou();
      const twice = [transfer(id, painter), transfer(id, stranger)];
      await expectRefused(submit(alpha, twice, { actAs: owner }), 'CONTRACT_NOT_ACTIVE', {
        cause: 'Update failed due to fetch of an inactive contract',
        definite: false,
      });
    },
  );

  reproduce(
    'SemanticDoubleSpendShared',
    'rejects an exercise on a contract that another party consumed',
    async () => {
      const id = await shared();
      await expectAccepted(submit(alpha, consume(id, 1), { actAs: owner }));
      await expectNotFound(submit(beta, consume(id, 2), { actAs: painter }));
    },
  );

  // Over JSON a record has no id.
  overJson('SemanticPaintOffer', 'accepting an offer creates an agreement', async () => {
    const created = await createdBy(alpha, accept(await offer(), await iou()), owner);
    expect(ofEntity(created, 'Agreement').createArgument).toEqual({ painter, houseOwner: owner });
  });

  overJson(
    'SemanticPaintCounterOffer',
    'accepting a counter-offer with the disclosed IOU creates an agreement',
    async () => {
      const iouId = await iou();
      const disclosedContracts = await disclosed(owner);
      expect(disclosedContracts).toMatchObject([{ contractId: iouId }]);
      const counter = exercise(paint('Offer'), await offer(), 'Counter', { iou: iouId });
      const { contractId } = ofEntity(await createdBy(alpha, counter, owner), 'CounterOffer');
      const created = await createdBy(
        beta,
        exercise(paint('CounterOffer'), contractId, 'AcceptCounter'),
        painter,
        { disclosedContracts },
      );
      expect(ofEntity(created, 'Agreement').createArgument).toEqual({ painter, houseOwner: owner });
    },
  );

  reproduce('SemanticPartialSignatories', 'DAML_AUTHORIZATION_ERROR', async () => {
    const agreement = create(paint('Agreement'), { painter, houseOwner: owner });
    await expectUnauthorized(submit(alpha, agreement, { actAs: owner }), 'requires authorizers');
  });

  reproduce('SemanticAcceptOnBehalf', 'DAML_AUTHORIZATION_ERROR', async () => {
    const payload = { payer: painter, owner, amount };
    const iouId = await beta.create(paint('Iou'), payload, { actAs: painter });
    await expectUnauthorized(
      submit(beta, accept(await offer(), iouId), { actAs: painter }),
      'requires authorizers',
    );
  });

  reproduce('SemanticPrivacyProjections', 'only stakeholders can fetch a contract', async () => {
    const fetched = async (
      api: LedgerApi,
      fetcher: string,
      entity: string,
      contract: string,
      more: object = {},
    ) => {
      const id = await api.create(paint('Fetcher'), { fetcher }, { actAs: fetcher });
      const command = exercise(paint('Fetcher'), id, `Fetch${entity}`, { contract });
      return submit(api, command, { actAs: fetcher, ...more });
    };
    const iouId = await iou();
    await expectAccepted(fetched(alpha, bank, 'Iou', iouId));
    await expectAccepted(fetched(alpha, owner, 'Iou', iouId));
    await expectNotFound(fetched(beta, painter, 'Iou', iouId));
    const offerId = await offer();
    await expectAccepted(fetched(alpha, owner, 'Offer', offerId));
    await expectAccepted(fetched(beta, painter, 'Offer', offerId));
    await expectNotFound(fetched(alpha, bank, 'Offer', offerId));
    const created = await createdBy(alpha, accept(offerId, iouId), owner);
    const [newIou, agreement] = ['Iou', 'Agreement'].map(
      (entity) => ofEntity(created, entity).contractId as string,
    ) as [string, string];
    await expectAccepted(fetched(alpha, bank, 'Iou', newIou));
    await expectNotFound(fetched(alpha, bank, 'Agreement', agreement));
    await expectAccepted(fetched(beta, painter, 'Agreement', agreement));
    await expectAccepted(fetched(alpha, owner, 'Agreement', agreement));
    await expectAccepted(fetched(beta, painter, 'Iou', newIou));
    await expectNotFound(fetched(alpha, owner, 'Iou', newIou));
    const [first, ...disclosedContracts] = await disclosed(bank);
    expect(first.contractId).toBe(iouId);
    expect(disclosedContracts).toMatchObject([{ contractId: newIou }]);
    await expectUnauthorized(
      fetched(alpha, owner, 'Iou', newIou, { disclosedContracts }),
      'requires one of the stakeholders',
    );
  });

  reproduce('SemanticDivulgence', 'a divulged contract cannot be fetched later', async () => {
    const token = await alpha.create(paint('Token'), { issuer: bank, owner }, { actAs: bank });
    const payload = { owner, delegate: painter };
    const delegation = () => alpha.create(paint('Delegation'), payload, { actAs: owner });
    const lasting = await delegation();
    for (const choice of ['Show', 'ShowAndEnd']) {
      const shown = exercise(paint('Delegation'), await delegation(), choice, { token });
      await expectAccepted(submit(alpha, shown, { actAs: owner }));
      const consumed = exercise(paint('Delegation'), lasting, 'ConsumeToken', { token });
      await expectNotFound(submit(beta, consumed, { actAs: painter }));
    }
  });
});

conformanceSuite('MultiPartySubmissionIT', {}, (reproduce) => {
  const all = [alice, bob, bank, owner];
  const two = [alice, bob];
  const others = [bank, owner];
  const joint = (parties: string[]) =>
    alpha.create(paint('MultiParty'), { parties }, { actAs: parties });
  const fetchOther = async (through: string[], more: object = {}) => {
    const [other, target] = [await joint(two), await joint(through)];
    const argument = { other, actors: others };
    return submit(alpha, exercise(paint('MultiParty'), target, 'FetchOther', argument), {
      actAs: others,
      ...more,
    });
  };

  reproduce('MPSSubmit', 'one completion names the command for each submitter', async () => {
    const commands = alpha.commands(create(paint('MultiParty'), { parties: two }), { actAs: two });
    const beginExclusive = await alpha.ledgerEnd();
    await alpha.ok('/v2/commands/async/submit', commands);
    const list = await alpha.ok('/v2/commands/completions?stream_idle_timeout_ms=1', {
      userId: 'tester',
      parties: [bob],
      beginExclusive,
    });
    const found = list.map(
      ({ completionResponse }: JsonAnswer) => completionResponse.Completion.value.commandId,
    );
    expect(found).toEqual([commands.commandId]);
  });

  reproduce('MPSCreateSuccess', 'creates a contract if all signatories act', async () => {
    const command = create(paint('MultiParty'), { parties: two });
    await expectAccepted(submit(alpha, command, { actAs: two }));
  });

  reproduce('MPSCreateInsufficientAuthorization', 'DAML_AUTHORIZATION_ERROR', async () => {
    const command = create(paint('MultiParty'), { parties: [...two, bank] });
    await expectUnauthorized(submit(alpha, command, { actAs: two }), 'requires authorizers');
  });

  const addSignatories = async (actAs: string[]) => {
    const command = exercise(paint('MultiParty'), await joint(two), 'AddSignatories', {
      newParties: all,
    });
    return submit(alpha, command, { actAs });
  };
  reproduce(
    'MPSAddSignatoriesSuccess',
    'adds signatories if the old and the new signatories act',
    async () => {
      await expectAccepted(addSignatories(all));
    },
  );
  reproduce('MPSAddSignatoriesInsufficientAuthorization', 'DAML_AUTHORIZATION_ERROR', async () => {
    await expectUnauthorized(addSignatories([bob, ...others]), 'requires authorizers');
  });

  reproduce('MPSFetchOtherSuccess', 'fetches a contract that a reader sees', async () => {
    await expectAccepted(fetchOther(all, { readAs: [alice] }));
  });
  reproduce('MPSFetchOtherInsufficientAuthorization', 'DAML_AUTHORIZATION_ERROR', async () => {
    await expectUnauthorized(
      fetchOther(others, { readAs: two }),
      'of the fetched contract to be an authorizer, but authorizers were',
    );
  });
  reproduce('MPSFetchOtherInvisible', 'CONTRACT_NOT_FOUND', async () => {
    await expectNotFound(fetchOther(all));
  });
});
