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
  type Told,
} from '../support/ledger-api.js';
import { useLedgerApi, useParticipant, useParties } from '../support/shared-ledger-api.js';
import { paint, paintPackage } from './support/paint.js';
import { conformanceSuite } from './support/suite.js';

const alpha = useLedgerApi({
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

async function outcome(api: LedgerApi, submitted: unknown, options: Submit) {
  const { status, body } = await api.post(
    '/v2/commands/submit-and-wait',
    api.commands(submitted, options),
  );
  return status === 200
    ? { status }
    : { status, code: body.code, cause: body.cause, definite: body.context.definite_answer };
}
const ACCEPTED = { status: 200 };
const refused = (status: number, code: string, cause: string) => ({
  status,
  code,
  cause: expect.stringContaining(cause),
  definite: 'false',
});
const NOT_FOUND = refused(404, 'CONTRACT_NOT_FOUND', 'Contract could not be found');
const unauthorized = (cause: string) => refused(400, 'DAML_AUTHORIZATION_ERROR', cause);

/** Created events of the transaction, as one party sees it. */
async function createdBy(api: LedgerApi, submitted: unknown, actAs: string, more: object = {}) {
  const format = transactionFormat('LEDGER_EFFECTS', eventFormat([actAs], wildcard()));
  const { events } = await api.transact(submitted, { actAs, ...more }, format);
  return events.flatMap((event: Told) => event.CreatedEvent ?? []);
}
const ofEntity = (events: Told[], entity: string): Told =>
  events.find(({ templateId }) => templateId.endsWith(`:Paint:${entity}`));

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

/** As others may use it. */
async function disclosed(party: string, contractId: string) {
  const events = await alpha.active(eventFormat([party], byTemplate(paint('Iou'), true)));
  const { templateId, createdEventBlob } = events.find(
    (event: Told) => event.contractId === contractId,
  );
  return { templateId, contractId, createdEventBlob, synchronizerId: '' };
}

conformanceSuite('SemanticTests', {}, (reproduce) => {
  reproduce('SemanticDoubleSpendBasic', 'a second transfer finds nothing', async () => {
    const id = await iou();
    expect(await outcome(alpha, transfer(id, painter), { actAs: owner })).toEqual(ACCEPTED);
    expect(await outcome(alpha, transfer(id, stranger), { actAs: owner })).toEqual(NOT_FOUND);
  });

  reproduce('SemanticConcurrentDoubleSpend', 'one of ten at once consumes it', async () => {
    for (let contracts = 0; contracts < 2; contracts++) {
      const id = await shared();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          at % 2 === 0
            ? outcome(alpha, consume(id, 1), { actAs: owner })
            : outcome(beta, consume(id, 2), { actAs: painter }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  reproduce('SemanticDoubleSpendSameTx', 'CONTRACT_NOT_ACTIVE in one transaction', async () => {
    const id = await iou();
    const twice = [transfer(id, painter), transfer(id, stranger)];
    expect(await outcome(alpha, twice, { actAs: owner })).toEqual(
      refused(404, 'CONTRACT_NOT_ACTIVE', 'Update failed due to fetch of an inactive contract'),
    );
  });

  reproduce('SemanticDoubleSpendShared', 'what another consumed is not found', async () => {
    const id = await shared();
    expect(await outcome(alpha, consume(id, 1), { actAs: owner })).toEqual(ACCEPTED);
    expect(await outcome(beta, consume(id, 2), { actAs: painter })).toEqual(NOT_FOUND);
  });

  reproduce('SemanticPaintOffer', 'accepted, it is an agreement', async () => {
    const created = await createdBy(alpha, accept(await offer(), await iou()), owner);
    expect(ofEntity(created, 'Agreement').createArgument).toEqual({ painter, houseOwner: owner });
  });

  reproduce('SemanticPaintCounterOffer', 'with the disclosed IOU, an agreement too', async () => {
    const iouId = await iou();
    const counter = exercise(paint('Offer'), await offer(), 'Counter', { iou: iouId });
    const { contractId } = ofEntity(await createdBy(alpha, counter, owner), 'CounterOffer');
    const created = await createdBy(
      beta,
      exercise(paint('CounterOffer'), contractId, 'AcceptCounter'),
      painter,
      {
        disclosedContracts: [await disclosed(owner, iouId)],
      },
    );
    expect(ofEntity(created, 'Agreement').createArgument).toEqual({ painter, houseOwner: owner });
  });

  reproduce('SemanticPartialSignatories', 'DAML_AUTHORIZATION_ERROR', async () => {
    const agreement = create(paint('Agreement'), { painter, houseOwner: owner });
    expect(await outcome(alpha, agreement, { actAs: owner })).toEqual(
      unauthorized('requires authorizers'),
    );
  });

  reproduce('SemanticAcceptOnBehalf', 'DAML_AUTHORIZATION_ERROR', async () => {
    const payload = { payer: painter, owner, amount };
    const iouId = await beta.create(paint('Iou'), payload, { actAs: painter });
    expect(await outcome(beta, accept(await offer(), iouId), { actAs: painter })).toEqual(
      unauthorized('requires authorizers'),
    );
  });

  reproduce('SemanticPrivacyProjections', 'who has no stake fetches nothing', async () => {
    const fetched = async (
      api: LedgerApi,
      fetcher: string,
      entity: string,
      contract: string,
      more: object = {},
    ) => {
      const id = await api.create(paint('Fetcher'), { fetcher }, { actAs: fetcher });
      const command = exercise(paint('Fetcher'), id, `Fetch${entity}`, { contract });
      return outcome(api, command, { actAs: fetcher, ...more });
    };
    const iouId = await iou();
    expect(await fetched(alpha, bank, 'Iou', iouId)).toEqual(ACCEPTED);
    expect(await fetched(alpha, owner, 'Iou', iouId)).toEqual(ACCEPTED);
    expect(await fetched(beta, painter, 'Iou', iouId)).toEqual(NOT_FOUND);
    const offerId = await offer();
    expect(await fetched(alpha, owner, 'Offer', offerId)).toEqual(ACCEPTED);
    expect(await fetched(beta, painter, 'Offer', offerId)).toEqual(ACCEPTED);
    expect(await fetched(alpha, bank, 'Offer', offerId)).toEqual(NOT_FOUND);
    const created = await createdBy(alpha, accept(offerId, iouId), owner);
    const [newIou, agreement] = ['Iou', 'Agreement'].map(
      (entity) => ofEntity(created, entity).contractId as string,
    ) as [string, string];
    expect(await fetched(alpha, bank, 'Iou', newIou)).toEqual(ACCEPTED);
    expect(await fetched(alpha, bank, 'Agreement', agreement)).toEqual(NOT_FOUND);
    expect(await fetched(beta, painter, 'Agreement', agreement)).toEqual(ACCEPTED);
    expect(await fetched(alpha, owner, 'Agreement', agreement)).toEqual(ACCEPTED);
    expect(await fetched(beta, painter, 'Iou', newIou)).toEqual(ACCEPTED);
    expect(await fetched(alpha, owner, 'Iou', newIou)).toEqual(NOT_FOUND);
    const disclosedContracts = [await disclosed(bank, newIou)];
    expect(await fetched(alpha, owner, 'Iou', newIou, { disclosedContracts })).toEqual(
      unauthorized('requires one of the stakeholders'),
    );
  });

  reproduce('SemanticDivulgence', 'what was fetched before is not found', async () => {
    const token = await alpha.create(paint('Token'), { issuer: bank, owner }, { actAs: bank });
    const payload = { owner, delegate: painter };
    const delegation = () => alpha.create(paint('Delegation'), payload, { actAs: owner });
    const lasting = await delegation();
    for (const choice of ['Show', 'ShowAndEnd']) {
      const shown = exercise(paint('Delegation'), await delegation(), choice, { token });
      expect(await outcome(alpha, shown, { actAs: owner })).toEqual(ACCEPTED);
      const consumed = exercise(paint('Delegation'), lasting, 'ConsumeToken', { token });
      expect(await outcome(beta, consumed, { actAs: painter })).toEqual(NOT_FOUND);
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
    return outcome(alpha, exercise(paint('MultiParty'), target, 'FetchOther', argument), {
      actAs: others,
      ...more,
    });
  };

  reproduce('MPSSubmit', 'one completion for each of two', async () => {
    const commands = alpha.commands(create(paint('MultiParty'), { parties: two }), { actAs: two });
    const beginExclusive = await alpha.ledgerEnd();
    await alpha.ok('/v2/commands/async/submit', commands);
    const list = await alpha.ok('/v2/commands/completions?stream_idle_timeout_ms=1', {
      userId: 'tester',
      parties: [bob],
      beginExclusive,
    });
    const found = list.map(
      ({ completionResponse }: Told) => completionResponse.Completion.value.commandId,
    );
    expect(found).toEqual([commands.commandId]);
  });

  reproduce('MPSCreateSuccess', 'all signatories act', async () => {
    const command = create(paint('MultiParty'), { parties: two });
    expect(await outcome(alpha, command, { actAs: two })).toEqual(ACCEPTED);
  });

  reproduce('MPSCreateInsufficientAuthorization', 'DAML_AUTHORIZATION_ERROR', async () => {
    const command = create(paint('MultiParty'), { parties: [...two, bank] });
    expect(await outcome(alpha, command, { actAs: two })).toEqual(unauthorized(''));
  });

  const addSignatories = async (actAs: string[]) => {
    const command = exercise(paint('MultiParty'), await joint(two), 'AddSignatories', {
      newParties: all,
    });
    return outcome(alpha, command, { actAs });
  };
  reproduce('MPSAddSignatoriesSuccess', 'old and new signatories act', async () => {
    expect(await addSignatories(all)).toEqual(ACCEPTED);
  });
  reproduce('MPSAddSignatoriesInsufficientAuthorization', 'DAML_AUTHORIZATION_ERROR', async () => {
    expect(await addSignatories([bob, ...others])).toEqual(unauthorized(''));
  });

  reproduce('MPSFetchOtherSuccess', 'who may read finds it', async () => {
    expect(await fetchOther(all, { readAs: [alice] })).toEqual(ACCEPTED);
  });
  reproduce('MPSFetchOtherInsufficientAuthorization', 'DAML_AUTHORIZATION_ERROR', async () => {
    expect(await fetchOther(others, { readAs: two })).toEqual(
      unauthorized('of the fetched contract to be an authorizer, but authorizers were'),
    );
  });
  reproduce('MPSFetchOtherInvisible', 'CONTRACT_NOT_FOUND', async () => {
    expect(await fetchOther(all)).toEqual(NOT_FOUND);
  });
});
