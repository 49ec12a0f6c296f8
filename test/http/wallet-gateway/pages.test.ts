/** The pages of the gateway, as HTML. test/clients/dapp-sdk.test.ts opens them in a browser. */
import { createCanticle, type Canticle } from 'canticle';
import { MAX_FORM_BYTES } from '../../../src/http/wallet-gateway/gateway-pages.js';
import {
  commandsInWords,
  effectsInWords,
  MAX_SHOWN_ITEMS,
  MAX_SHOWN_VALUE,
} from '../../../src/http/wallet-gateway/request-words.js';
import { connected, quickstartCommand } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
beforeEach(() => {
  canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'], mode: 'ask' } });
});

const get = async (path: string) => {
  const answer = await canticle.handle({ path });
  return { status: answer.status, headers: answer.headers, html: answer.body.toString() };
};
const post = async (path: string, form: Record<string, string>, headers = {}) => {
  const answer = await canticle.handle({
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
  return { status: answer.status, html: answer.body.toString() };
};
const approvePage = (id: string | null) =>
  get(`/approve/index.html?transactionId=${id}&commandId=c1&closeafteraction`);

describe('The login', () => {
  it('offers the networks', async () => {
    const { status, html, headers } = await get('/login/');
    expect(status).toBe(200);
    expect(html).toContain('<option value="canton:localnet">LocalNet</option>');
    expect(html).not.toContain('data-submit');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });

  it('happens at once if the wallet approves', async () => {
    canticle.walletGateway.mode = 'approve';
    expect((await get('/login/')).html).toContain('data-submit=""');
  });

  it('gives the page a token for the dApp', async () => {
    const { html } = await post('/login/', { network: 'canton:localnet' });
    const { session } = canticle.walletGateway;
    expect(html).toContain(`data-token="${session!.token}" data-session="${session!.id}"`);
    expect(html).toContain('SPLICE_WALLET_IDP_AUTH_SUCCESS');
  });

  it('rejects an unknown network, and shows why a network fails', async () => {
    expect((await post('/login/', { network: 'x' })).html).toContain('cannot connect');
    expect(canticle.walletGateway.session).toBeUndefined();
    await canticle.walletGateway.network('canton:elsewhere');
    const { html } = await post('/login/', { network: 'canton:elsewhere' });
    expect(html).toContain('Failed to add session: fetch failed');
  });

  it('is closed while the wallet is locked', async () => {
    canticle.walletGateway.lock();
    expect(await get('/login/')).toMatchObject({
      status: 403,
      html: expect.stringContaining('The wallet is locked'),
    });
    expect((await post('/login/', { network: 'canton:localnet' })).status).toBe(403);
  });

  it('takes no form of another page', async () => {
    const form = { network: 'canton:localnet' };
    const evil = { origin: 'https://evil.example' };
    expect((await post('/login/', form, evil)).status).toBe(403);
    expect((await post('/login/', form, { origin: 'null' })).status).toBe(403);
    expect((await post('/login/', form, { origin: 'http://localhost' })).status).toBe(200);
    const own = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect((await post('/login/', form, own)).status).toBe(200);
  });
});

describe('A request', () => {
  it('is shown in plain words, with its simulated result', async () => {
    const { prepare, party } = await connected(canticle);
    const id = (await prepare()).get('transactionId');
    const { html } = await approvePage(id);
    expect(html).toContain('<h1>https://app.example wants to submit a transaction</h1>');
    expect(html).toContain('<p>Create a contract of <strong>Quickstart.Iou:Iou</strong></p>');
    expect(html).toContain('<p>Creates a contract of <strong>Quickstart.Iou:Iou</strong></p>');
    expect(html).toContain('<dt>amount</dt><dd>10.0000000000</dd>');
    expect(html).toContain('<dt>observers</dt><dd>none</dd>');
    const [, namespace] = party.split('::');
    expect(html).toContain(
      `<h2>Signed by</h2><p><code title="${party}">alice::${namespace!.slice(0, 8)}…</code></p>`,
    );
    expect(html).not.toContain('It changes no contract.');
    expect(html).toMatch(/Estimated traffic cost<\/dt><dd>\d+ bytes/);
    expect(html).toContain('>Approve</button>');
    expect(html).toContain('>Reject</button>');
  });

  it.each([
    [
      'ExerciseCommand',
      { contractId: '00' },
      'Exercise <strong>Iou_Split</strong> on contract <code title="00">00…</code> of <strong>Quickstart.Iou:Iou</strong>',
    ],
    [
      'ExerciseByKeyCommand',
      { contractKey: {} },
      'Exercise <strong>Iou_Split</strong> on the contract of <strong>Quickstart.Iou:Iou</strong> with a key',
    ],
  ])('says %s', (kind, more, words) => {
    const body = {
      templateId: '#canticle-quickstart:Quickstart.Iou:Iou',
      choice: 'Iou_Split',
      choiceArgument: { splitAmount: '1.0' },
      ...more,
    };
    expect(commandsInWords([{ [kind]: body }])).toBe(
      `<ul><li class="card"><p>${words}</p><dl><dt>splitAmount</dt><dd>1.0</dd></dl></li></ul>`,
    );
  });

  it('shows what the ledger would archive, and why it would reject', async () => {
    const { prepare, party } = await connected(canticle);
    const templateId = '#canticle-quickstart:Quickstart.Iou:Iou';
    const created = canticle.participant.create(
      templateId,
      { issuer: party, owner: party, currency: 'EUR', amount: '10.0', observers: [] },
      { actAs: [party] },
    );
    const archive = {
      ExerciseCommand: {
        templateId,
        contractId: created,
        choice: 'Archive',
        choiceArgument: {},
      },
    };
    const id = (await prepare('c1', [archive])).get('transactionId');
    expect((await approvePage(id)).html).toContain('Archives a contract of');
    canticle.participant.archive(templateId as never, created, { actAs: [party] });
    const { html } = await approvePage(id);
    expect(html).toContain('The ledger would reject this now: <code>CONTRACT_NOT_FOUND</code>');
  });

  it('escapes the values of a dApp', async () => {
    const { prepare, party } = await connected(canticle);
    const [command] = quickstartCommand(party) as any[];
    command.CreateCommand.createArguments.currency = '<script>alert("1")</script>';
    const id = (await prepare('c1', [command])).get('transactionId');
    const { html } = await approvePage(id);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(html).not.toContain('<script>alert');
  });

  it('is approved by its form, and then closes', async () => {
    const { prepare } = await connected(canticle);
    const id = (await prepare()).get('transactionId')!;
    expect((await get(`/approve/status?transactionId=${id}`)).html).toBe('pending');
    const form = { transactionId: id, decision: 'approve', closes: 'true' };
    const { html } = await post('/approve/', form);
    expect(html).toContain('The transaction was executed');
    expect(html).toContain('data-close=""');
    expect((await get(`/approve/status?transactionId=${id}`)).html).toBe('executed');
    expect((await approvePage(id)).html).toContain('The transaction was executed');
    expect((await post('/approve/', { ...form, closes: 'false' })).status).toBe(500);
  });

  it('is rejected by its form', async () => {
    const { prepare } = await connected(canticle);
    const id = (await prepare()).get('transactionId')!;
    const { html } = await post('/approve/', { transactionId: id, decision: 'reject' });
    expect(html).toContain('The request was decided or withdrawn');
    expect(html).not.toContain('data-close');
    expect(canticle.walletGateway.pending).toEqual([]);
    expect((await get('/approve/status?transactionId=x')).html).toBe('gone');
  });

  it('is decided by the wallet when its page opens', async () => {
    const { prepare } = await connected(canticle);
    canticle.walletGateway.mode = 'approve';
    const id = (await prepare()).get('transactionId');
    expect((await approvePage(id)).html).toContain('The transaction was executed');
  });

  it('shows the failure of an approval', async () => {
    const { prepare } = await connected(canticle);
    canticle.walletGateway.fail = 'no <key>';
    const id = (await prepare()).get('transactionId')!;
    const { status, html } = await post('/approve/', { transactionId: id, decision: 'approve' });
    expect([status, html]).toEqual([500, expect.stringContaining('no &lt;key&gt;')]);
  });

  it('cannot be approved by a wallet that only reads', async () => {
    const { prepare, party, user } = await connected(canticle);
    await user('createWallet', { partyHint: 'bob', signingProviderId: 'wallet-kernel' });
    const id = (await prepare()).get('transactionId');
    const body = {
      userId: 'ledger-api-user',
      identityProviderId: '',
      rights: [{ kind: { CanReadAs: { value: { party } } } }],
    };
    const path = '/v2/users/ledger-api-user/rights';
    await canticle.handle({ path, body });
    const acts = { ...body, rights: [{ kind: { CanActAs: { value: { party } } } }] };
    await canticle.handle({ method: 'PATCH', path, body: acts });
    await user('syncWallets');
    const { html } = await approvePage(id);
    expect(html).toContain('no right to submit');
    expect(html).toContain('value="approve" disabled>');
  });

  it('can be a message', async () => {
    const { dapp } = await connected(canticle);
    const answer = dapp('signMessage', { message: '<b>hello</b>' });
    while (canticle.walletGateway.pending.length === 0)
      await new Promise((resolve) => setImmediate(resolve));
    const { id } = canticle.walletGateway.pending[0]!;
    const { html } = await approvePage(id);
    expect(html).toContain('https://app.example wants a signature');
    expect(html).toContain('&lt;b&gt;hello&lt;/b&gt;');
    expect(html).toContain('value="approve">Approve');
    await post('/approve/', { transactionId: id, decision: 'approve' });
    expect((await answer).result.signature).toBeDefined();
  });
});

describe('The list', () => {
  it('needs a session', async () => {
    expect(await get('/activities/')).toMatchObject({
      status: 302,
      headers: { location: '/login/' },
    });
    expect((await get('/nothing/at/all')).status).toBe(404);
    expect((await get('/approve/nothing')).status).toBe(404);
  });

  it('has the accounts and the requests, newest first', async () => {
    const { prepare } = await connected(canticle);
    expect((await get('/activities/')).html).toContain('No app has asked for anything.');
    await prepare('c-older');
    await prepare('c-newer');
    const { html } = await get('/activities/');
    expect(html).toContain('alice::');
    expect(html.indexOf('c-newer')).toBeLessThan(html.indexOf('c-older'));
  });
});

it('shows the elements of lists', () => {
  const shown = (list: unknown) =>
    commandsInWords([{ CreateCommand: { templateId: 'p:M:T', createArguments: { list } } }]);
  expect(shown(['a', 'b'])).toContain('<dt>list</dt><dd>a, b</dd>');
  expect(shown([{ a: 1 }])).toContain('<dt>list</dt><dd>[{&quot;a&quot;:1}]</dd>');
});

it('a request may change nothing, and wait', () => {
  const step = { outcome: 'waiting', created: [], archived: [] } as never;
  expect(effectsInWords(step)).toBe(
    '<p>It would wait, because its synchronizer is paused.</p><p>It changes no contract.</p>',
  );
});

it('shows the traffic that is left, and parties without a namespace', () => {
  const cost = { bytes: 10, available: 20 };
  const contract = { template: '#p:M:T', payload: {}, signatories: ['alice'] };
  const step = { outcome: 'accepted', created: [contract], archived: [], cost } as never;
  expect(effectsInWords(step)).toBe(
    '<ul><li class="card"><p>Creates a contract of <strong>M:T</strong></p><dl><dt>Signatories</dt><dd><code title="alice">alice</code></dd></dl></li></ul>' +
      '<dl><dt>Estimated traffic cost</dt><dd>10 bytes, of 20 that the participant has</dd></dl>',
  );
});

describe('Limits', () => {
  it('are these', () => {
    expect([MAX_FORM_BYTES, MAX_SHOWN_ITEMS, MAX_SHOWN_VALUE]).toEqual([65_536, 50, 300]);
  });

  it('a form has 64 KiB', async () => {
    const rest = 'network=&more='.length;
    const form = (length: number) => ({ network: '', more: 'x'.repeat(length - rest) });
    expect((await post('/login/', form(MAX_FORM_BYTES))).status).toBe(200);
    expect((await post('/login/', form(MAX_FORM_BYTES + 1))).status).toBe(413);
  });

  it(`a page shows ${MAX_SHOWN_ITEMS} commands, and the number of the others`, () => {
    const commands = (count: number) => Array(count).fill({ Other: {} });
    const cards = (html: string) => html.match(/<li/g)!.length;
    expect(cards(commandsInWords(commands(MAX_SHOWN_ITEMS)))).toBe(MAX_SHOWN_ITEMS);
    const more = commandsInWords(commands(MAX_SHOWN_ITEMS + 1));
    expect(cards(more)).toBe(MAX_SHOWN_ITEMS + 1);
    expect(more).toContain('and 1 more');
  });

  it(`a page shows ${MAX_SHOWN_VALUE} characters of a value`, () => {
    const shown = (length: number) =>
      commandsInWords([{ CreateCommand: { createArguments: { text: 'x'.repeat(length) } } }]);
    expect(shown(MAX_SHOWN_VALUE)).toContain(`<dd>${'x'.repeat(MAX_SHOWN_VALUE)}</dd>`);
    expect(shown(MAX_SHOWN_VALUE + 1)).toContain(`<dd>${'x'.repeat(MAX_SHOWN_VALUE)}…</dd>`);
  });
});

describe('The parties', () => {
  const primary = () => canticle.walletGateway.wallets.find((each) => each.primary)?.hint;
  const cardsIn = (html: string) =>
    [...html.matchAll(/<wg-wallet-card party-id="([^"]*)"[^]*?<\/wg-wallet-card>/g)].map(
      ([text, id]) => [id!.split('::')[0], text.includes('Set as primary')],
    );

  it.each([
    ['GET', '/parties/'],
    ['GET', '/parties/new/'],
    ['POST', '/parties/'],
  ])('%s %s needs a session', async (method, path) => {
    const answer = await canticle.handle({ method, path });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/login/']);
  });

  it('shows them, and makes one primary', async () => {
    await connected(canticle);
    await canticle.walletGateway.as('bob');
    const { html } = await get('/parties/');
    expect(cardsIn(html)).toEqual([
      ['alice', true],
      ['bob', false],
    ]);
    expect(html).toContain('<dt>Signed by</dt><dd>wallet-kernel</dd>');
    expect(html).toContain('<dt>Status</dt><dd>allocated</dd>');
    const { partyId } = canticle.walletGateway.wallets[0]!;
    expect((await post('/parties/', { party: partyId })).status).toBe(303);
    expect(primary()).toBe('alice');
  });

  it('says that there are none', async () => {
    canticle = createCanticle({ seed: 1, walletGateway: true });
    await connected(canticle);
    expect((await get('/parties/')).html).toContain('The user has no parties.');
  });

  it('disables one that the user cannot use', async () => {
    await connected(canticle);
    const { network } = canticle;
    const { users } = network.participants[0]!;
    const stranger = `stranger::1220${'ab'.repeat(32)}`;
    users.grant('ledger-api-user', [{ kind: 'CanActAs', party: stranger }]);
    await canticle.walletGateway.connect();
    canticle.scenario.walletSession('unlock');
    const { token } = canticle.walletGateway.session!;
    const body = { jsonrpc: '2.0', id: 1, method: 'syncWallets' };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await canticle.handle({ path: '/api/v0/user', headers, body });
    const { html } = await get('/parties/');
    expect(cardsIn(html)).toContainEqual(['stranger', false]);
    expect(html).toContain('<dt>Status</dt><dd>disabled</dd>');
  });

  it.each([
    ['participant', true],
    ['wallet-kernel', false],
  ])('creates one with a key of %s; primary: %s', async (provider, isPrimary) => {
    await connected(canticle);
    expect((await get('/parties/new/')).html).toContain(`<option value="${provider}">`);
    const form = { hint: 'carol', provider, ...(isPrimary && { primary: 'true' }) };
    expect((await post('/parties/', form)).status).toBe(303);
    expect(canticle.walletGateway.wallets.at(-1)).toMatchObject({
      hint: 'carol',
      signingProviderId: provider,
      primary: isPrimary,
    });
  });

  it.each([
    [{ hint: 'a/b', provider: 'participant' }, 'a/b'],
    [{ hint: 'carol', provider: 'other' }, 'Signing provider other not supported'],
    [{ party: 'nobody::1220' }, 'nobody::1220'],
  ])('shows why it cannot: %j', async (form, error) => {
    await connected(canticle);
    const before = canticle.walletGateway.wallets;
    const { html } = await post('/parties/', form);
    expect(/role="alert">([^<]*)/.exec(html)?.[1]).toContain(error);
    expect(canticle.walletGateway.wallets).toEqual(before);
  });

  it('has a menu on each page while there is a session, and ends it', async () => {
    const pages = ['/login/', '/activities/', '/parties/', '/parties/new/'];
    expect((await get('/login/')).html).not.toContain('aria-haspopup="menu"');
    await connected(canticle);
    for (const path of pages) expect((await get(path)).html).toContain('aria-haspopup="menu"');
    const { html } = await post('/logout/', {});
    expect(html).toContain('SPLICE_WALLET_LOGOUT');
    expect(html).not.toContain('aria-haspopup="menu"');
    expect(canticle.walletGateway.session).toBeUndefined();
    expect((await post('/logout/', {})).status).toBe(200);
  });

  it('takes no forms of other pages', async () => {
    const { token } = await connected(canticle);
    const headers = { origin: 'https://other.example' };
    expect((await post('/logout/', {}, headers)).status).toBe(403);
    expect((await post('/parties/', { hint: 'x' }, headers)).status).toBe(403);
    expect(canticle.walletGateway.session).toMatchObject({ token });
  });
});
