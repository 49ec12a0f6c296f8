/** The matchers on refusals and on the request journal. */
import { d, definePackage, defineTemplate } from 'canticle';
import { useCanticle } from '../../src/testing/jest.js';
import { IOU } from '../support/ledger.js';
import { messageOf, messageOfAsync } from './matcher-messages.js';

/** Fails with whatever category it is asked for. */
const Vault = defineTemplate({
  name: 'Test:Vault',
  fields: { owner: d.party },
  signatories: (vault) => [vault.owner],
  choices: (choice) => ({
    Open: choice({
      argument: { category: d.int64 },
      consuming: false,
      result: d.unit,
      controllers: (vault) => [vault.owner],
      run: (update, _self, { category }) =>
        update.fail('the vault is shut', { category: Number(category) }),
    }),
  }),
});
const vaults = definePackage({ name: 'vaults', version: '1.0.0', templates: [Vault] });

const canticle = useCanticle({ seed: 7, packages: [vaults] });
const { participant } = canticle;
const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
  string,
  string,
];

const payload = () => ({
  issuer: alice,
  owner: alice,
  currency: 'EUR',
  amount: '1.0',
  observers: [],
});
const createAs = (party: string) => () => participant.create(IOU, payload(), { actAs: [party] });

function archivedIou(): string {
  const iou = createAs(alice)();
  participant.archive(IOU, iou, { actAs: [alice] });
  return iou;
}

const archive = (contractId: string) => ({
  commands: [
    { ExerciseCommand: { templateId: IOU, contractId, choice: 'Archive', choiceArgument: {} } },
  ],
  commandId: 'archive',
  userId: 'participant_admin',
  actAs: [alice],
});
const SUBMIT = '/v2/commands/submit-and-wait';
const post = (path: string, body: unknown): Promise<Response> =>
  fetch(canticle.urls.ledgerApi + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('toBeCantonError', () => {
  it('accepts a function that throws, and a thrown error', () => {
    const create = createAs(bob);
    expect(create).toBeCantonError('DAML_AUTHORIZATION_ERROR');
    expect(create).toBeCantonError('DAML_AUTHORIZATION_ERROR', { status: 400 });
    expect(create).not.toBeCantonError('CONTRACT_NOT_FOUND');
    expect(create).not.toBeCantonError('DAML_AUTHORIZATION_ERROR', { status: 404 });
    let caught: unknown;
    try {
      create();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeCantonError('DAML_AUTHORIZATION_ERROR');
  });

  it('accepts answers, their bodies, and errors of clients that contain them', async () => {
    const answer = await post(SUBMIT, archive(archivedIou()));
    await expect(answer).toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 });
    await expect(answer).not.toBeCantonError('CONTRACT_NOT_FOUND', { status: 409 });
    const body = (await answer.json()) as object;
    expect(body).toBeCantonError('CONTRACT_NOT_FOUND', { context: { category: '11' } });
    expect(body).not.toBeCantonError('CONTRACT_NOT_FOUND', { context: { category: '12' } });
    expect(body).not.toBeCantonError('CONTRACT_NOT_FOUND', { context: { colour: 'red' } });
    expect(JSON.stringify(body)).toBeCantonError('CONTRACT_NOT_FOUND');
    const wrapped = new Error('Request failed', {
      cause: { response: { status: 404, data: body } },
    });
    expect(wrapped).toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 });
    const inProcess = await canticle.handle({
      path: SUBMIT,
      body: { ...archive(archivedIou()), commandId: 'again' },
    });
    expect(inProcess).toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 });
  });

  it('reports a misspelt code, with and without not', () => {
    const refused = createAs(bob);
    const message =
      'There is no error code DAML_AUTHORISATION_ERROR. Did you mean DAML_AUTHORIZATION_ERROR?';
    for (const expectation of [
      () => expect(refused).toBeCantonError('DAML_AUTHORISATION_ERROR'),
      () => expect(refused).not.toBeCantonError('DAML_AUTHORISATION_ERROR'),
    ])
      expect(messageOf(expectation)).toContain(message);
  });

  it('awaits an async function', async () => {
    await expect(() => Promise.reject(new Error('other'))).not.toBeCantonError(
      'CONTRACT_NOT_FOUND',
    );
    await expect(async () => createAs(bob)()).toBeCantonError('DAML_AUTHORIZATION_ERROR');
    await expect((async () => createAs(bob)())()).rejects.toBeCantonError(
      'DAML_AUTHORIZATION_ERROR',
    );
  });

  it('reads the answer of a promise, and of a function that returns one', async () => {
    const refused = () => post(SUBMIT, archive(archivedIou()));
    await expect(refused()).toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 });
    await expect(refused).toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 });
    await expect(async () => (await refused()).json()).toBeCantonError('CONTRACT_NOT_FOUND');
    await expect(refused()).not.toBeCantonError('PACKAGE_NAMES_NOT_FOUND');
    expect(
      await messageOfAsync(() =>
        expect(refused).toBeCantonError('CONTRACT_NOT_FOUND', { status: 400 }),
      ),
    ).toContain('Its HTTP status is 404, expected 400.');
    const accepted = () => fetch(`${canticle.urls.ledgerApi}/livez`);
    for (const subject of [accepted, accepted()])
      expect(
        await messageOfAsync(() => expect(subject).toBeCantonError('CONTRACT_NOT_FOUND')),
      ).toContain('Nothing was refused. The result: {"status":200');
  });

  it('shows the error, and the contract of the error', async () => {
    const iou = archivedIou();
    const again = () => participant.archive(IOU, iou, { actAs: [alice] });
    expect(messageOf(() => expect(again).toBeCantonError('INVALID_ARGUMENT', { status: 400 })))
      .toMatchInlineSnapshot(`
      "expect(refusal).toBeCantonError("INVALID_ARGUMENT", {"status":400})

      Its code is CONTRACT_NOT_FOUND, expected INVALID_ARGUMENT.
      Its HTTP status is 404, expected 400.

      CONTRACT_NOT_FOUND (HTTP 404): Contract could not be found with id ·
        resources [["CONTRACT_ID","·"]]

      alice at sandbox
      ✗ exercise Quickstart.Iou:Iou Archive on ·
           has the authority of alice
           failed: CONTRACT_NOT_FOUND: Contract could not be found with id ·
      why    · (Quickstart.Iou:Iou) was archived by Archive, exercised by alice, in update · (offset 7 of sandbox).

      The ledger has Quickstart.Iou:Iou (canticle-quickstart) ·
        state       archived
        payload     {"issuer":"alice::·","owner":"alice::·","currency":"EUR","amount":"1.0000000000","observers":[]}
        signatories alice::·
        observers   nobody
        created     update · (sandbox offset 6, 2026-01-01T00:00:00.000006Z) on global
        archived    update · (sandbox offset 7, 2026-01-01T00:00:00.000007Z): Archive exercised by alice::·
        active      no active contract has this template and signatory"
    `);
    expect(messageOf(() => expect(again).not.toBeCantonError('CONTRACT_NOT_FOUND'))).toContain(
      'It is this error.',
    );
    const answer = await post(SUBMIT, archive(iou));
    const message = await messageOfAsync(() =>
      expect(answer).toBeCantonError('CONTRACT_NOT_FOUND', { context: { category: '9' } }),
    );
    expect(message.split('\n', 3)).toMatchInlineSnapshot(`
      [
        "expect(refusal).toBeCantonError("CONTRACT_NOT_FOUND", {"context":{"category":"9"}})",
        "",
        "Its context has category "11", expected "9".",
      ]
    `);
  });

  it('explains an answer whose cause a participant truncated', async () => {
    const long = { ...payload(), currency: 'E'.repeat(600), amount: '-1.0' };
    const answer = await post(SUBMIT, {
      ...archive(''),
      commandId: 'long',
      commands: [{ CreateCommand: { templateId: IOU, createArguments: long } }],
    });
    const body = (await answer.json()) as { cause: string };
    expect(body.cause).toMatch(/E\.\.\.$/);
    expect(messageOf(() => expect(body).toBeCantonError('INVALID_ARGUMENT'))).toContain(
      'failed: TEMPLATE_PRECONDITION_VIOLATED: the precondition (ensure) does not hold',
    );
  });

  it.each([
    [7, 403, 'GeneralError: the vault is shut'],
    [15, 500, 'Error category ordinal 15 is not a valid error category.'],
  ])('explains a redacted answer, of category %d', async (category, status, cause) => {
    const contractId = participant.create(Vault.id, { owner: alice }, { actAs: [alice] });
    const choiceArgument = { category: String(category) };
    const open = { templateId: Vault.id, contractId, choice: 'Open', choiceArgument };
    const opened = async (commandId: string, submissionId = '') => {
      const commands = [{ ExerciseCommand: open }];
      const answer = await post(SUBMIT, { ...archive(''), commandId, submissionId, commands });
      const body: unknown = await answer.json();
      expect([answer.status, body]).toMatchObject([status, { code: 'NA', context: {} }]);
      return body;
    };
    const messageFor = (body: unknown) =>
      messageOf(() => expect(body).toBeCantonError('CONTRACT_NOT_FOUND'));
    const [first, second] = [await opened('first'), await opened('second', 'given')];
    expect(messageFor(first)).toContain('received\n\nalice at sandbox, command first\n');
    expect(messageFor(first)).toContain(cause);
    expect(messageFor(second)).toContain('received\n\nalice at sandbox, command second\n');
    await opened('third', 'given');
    expect(messageFor(second)).toContain(
      'The newest of 2 refusals with this correlation id:\nalice at sandbox, command third\n',
    );
  });

  it('lists the errors if none matches', async () => {
    expect(messageOf(() => expect(createAs(alice)).toBeCantonError('CONTRACT_NOT_FOUND')))
      .toMatchInlineSnapshot(`
      "expect(refusal).toBeCantonError("CONTRACT_NOT_FOUND")

      Nothing was refused. The result: "·""
    `);
    expect(
      messageOf(() => expect(new TypeError('fetch failed')).toBeCantonError('CONTRACT_NOT_FOUND')),
    ).toMatchInlineSnapshot(`
      "expect(refusal).toBeCantonError("CONTRACT_NOT_FOUND")

      Not a Canton error: TypeError: fetch failed"
    `);
    const answer = await fetch(`${canticle.urls.scan}/v0/nothing`);
    const message = await messageOfAsync(() =>
      expect(answer).toBeCantonError('CONTRACT_NOT_FOUND'),
    );
    expect(message.replace(canticle.url!, 'http://some.host')).toMatchInlineSnapshot(`
      "expect(refusal).toBeCantonError("CONTRACT_NOT_FOUND")

      Not a Canton error: {"status":404,"body":"{\\"error\\":\\"The requested resource could not be found: http://some.host/api/scan/v0/nothing\\"}"}"
    `);
  });
});

describe('toHaveAnswered', () => {
  it('counts the answers in this test', async () => {
    expect(canticle).not.toHaveAnswered('postV2CommandsSubmit-and-wait');
    const iou = createAs(alice)();
    await post(SUBMIT, archive(iou));
    expect(canticle).toHaveAnswered('postV2CommandsSubmit-and-wait');
    expect(canticle.requests).toHaveAnswered(`POST ${SUBMIT}`, 1);
    expect(canticle).not.toHaveAnswered('postV2CommandsSubmit-and-wait', 2);
    await post(SUBMIT, { ...archive(iou), commandId: 'again' });
    expect(canticle).toHaveAnswered('postV2CommandsSubmit-and-wait', 1);
    await post(SUBMIT, { ...archive(createAs(alice)()), commandId: 'another' });
    // So often, and no more.
    expect(canticle).toHaveAnswered('postV2CommandsSubmit-and-wait', 2);
    expect(canticle).not.toHaveAnswered('postV2CommandsSubmit-and-wait', 1);
    expect(canticle).not.toHaveAnswered('postV2CommandsSubmit-and-wait', 0);
  });

  it('shows the requests', async () => {
    await fetch(`${canticle.urls.ledgerApi}/v2/version`);
    await post(SUBMIT, archive(archivedIou()));
    await fetch(`${canticle.urls.ledgerApi}/v2/verzion`);
    expect(messageOf(() => expect(canticle).toHaveAnswered('postV2CommandsSubmit-and-wait')))
      .toMatchInlineSnapshot(`
      "expect(canticle).toHaveAnswered("postV2CommandsSubmit-and-wait")

      It was answered never, and refused once.

      The requests:
        GET /v2/version 200 getV2Version answered
        POST /v2/commands/submit-and-wait 404 postV2CommandsSubmit-and-wait refused: CONTRACT_NOT_FOUND, Contract could not be found with id ·
        GET /v2/verzion 404 unmatched: Did you mean GET /v2/version?"
    `);
    expect(messageOf(() => expect(canticle).not.toHaveAnswered('getV2Version'))).toContain(
      'It was answered once.',
    );
  });

  it('suggests the nearest operation', () => {
    expect(messageOf(() => expect(canticle).toHaveAnswered('getV2Verzion'))).toMatchInlineSnapshot(`
      "expect(canticle).toHaveAnswered("getV2Verzion")

      There is no operation of that name. Did you mean getV2Version?

      There was no request."
    `);
    expect(messageOf(() => expect(canticle).not.toHaveAnswered('getV2Verzion'))).toContain(
      'Did you mean getV2Version?',
    );
    expect(() => expect('canticle').not.toHaveAnswered('getV2Version')).toThrow(
      'Not a Canticle instance',
    );
  });
});
