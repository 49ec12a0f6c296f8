/** The pages of the gateway for its user: the login, a request of a dApp, and the list of requests. */
import { isError } from '../../daml/errors/realms.js';
import { escapeHtml } from '../../services/pages/html.js';
import { addSession } from '../../services/wallet-gateway/sessions.js';
import type { GatewayTransaction } from '../../services/wallet-gateway/records.js';
import type { WalletGateway } from '../../services/wallet-gateway/wallet-gateway.js';
import type { WalletRequestInfo } from '../../services/wallet-gateway/wallet-requests.js';
import type { WireAnswer } from '../answers.js';
import { BodyTooLarge } from '../body.js';
import type { Exchange } from '../contexts.js';
import { code, facts, framed, type FrameOptions } from './frame.js';
import { PartyPages, TO_LOGIN } from './party-pages.js';
import { commandsInWords, effectsInWords, party } from './request-words.js';

/** Bytes of a form. */
export const MAX_FORM_BYTES = 64 * 1024;

export class GatewayPages {
  private readonly parties: PartyPages;

  constructor(private readonly gateway: WalletGateway) {
    this.parties = new PartyPages(gateway);
  }

  async answer(exchange: Exchange, path: string): Promise<WireAnswer> {
    const query = new URLSearchParams(exchange.target.replace(/^[^?]*/, ''));
    switch (`${exchange.method} ${path.replace(/(?<=.)\/(?:index\.html)?$/, '')}`) {
      case 'GET /':
        return { status: 302, headers: { location: '/activities/' } };
      case 'GET /login':
        return this.loginForm();
      case 'POST /login':
        return this.posted(exchange, (form) => this.loggedIn(exchange, form));
      case 'GET /approve':
        return this.request(query);
      case 'GET /approve/status':
        return plain(this.statusOf(query.get('transactionId') ?? ''));
      case 'POST /approve':
        return this.posted(exchange, (form) => this.decided(form));
      case 'GET /activities':
        return this.activities();
      case 'GET /parties':
        return this.parties.list();
      case 'GET /parties/new':
        return this.parties.creation();
      case 'POST /parties':
        return this.posted(exchange, (form) => this.parties.changed(form));
      case 'POST /logout':
        return this.posted(exchange, () => this.parties.loggedOut());
      default:
        return framed('Not found', '<h1>There is no such page</h1>', { status: 404 });
    }
  }

  private shown(title: string, body: string, options: FrameOptions = {}): WireAnswer {
    return framed(title, body, { hasMenu: this.gateway.core.session !== undefined, ...options });
  }

  private loginForm(error?: string): WireAnswer {
    const { core } = this.gateway;
    if (core.settings.isLocked)
      return framed('Wallet', '<h1>The wallet is locked</h1>', { status: 403 });
    const options = core.store.networks
      .all()
      .map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`);
    const message =
      error === undefined ? '' : `<p class="notice bad" role="alert">${escapeHtml(error)}</p>`;
    const isAutomatic = core.settings.mode === 'approve' && error === undefined;
    return this.shown(
      'Connect the wallet',
      `<h1>Connect the wallet</h1>${message}
<p>User ${code(core.start.userId)}</p>
<form method="post" action="/login/"><label for="network">Select a network
<select id="network" name="network">${options.join('')}</select></label>
<div class="buttons"><button class="main">Connect</button></div></form>`,
      { script: 'login', data: isAutomatic ? { submit: '' } : {} },
    );
  }

  private async loggedIn(exchange: Exchange, form: URLSearchParams): Promise<WireAnswer> {
    const { core } = this.gateway;
    const { userId } = core.start;
    const token = await core.ports.tokenOf(userId);
    const networkId = form.get('network') ?? '';
    if (token === undefined || core.store.networks.get(networkId) === undefined)
      return this.loginForm('The wallet cannot connect to this network.');
    const caller = { token, root: exchange.root() };
    this.gateway.lastRoot = caller.root;
    try {
      const { id, network } = await addSession(core, caller, networkId);
      return this.shown(
        'Connected',
        `<h1>Connected to ${escapeHtml(network.name)}</h1><p>You can go back to the app. <a href="/activities/">Show the requests</a></p>`,
        { script: 'login', data: { token, session: id } },
      );
    } catch (error) {
      return this.loginForm(causeOf(error));
    }
  }

  /** A request, or its outcome if the wallet has decided. */
  private async request(query: URLSearchParams): Promise<WireAnswer> {
    const id = query.get('transactionId') ?? '';
    // An automatic decision starts when the page is open.
    await this.gateway.requests.opened(id);
    if (this.statusOf(id) !== 'pending') return this.outcome(id, query.has('closeafteraction'));
    const request = this.gateway.requests.find(id)!;
    const watch = `/approve/status?transactionId=${encodeURIComponent(id)}`;
    const shown =
      request.kind === 'message' ? messageInWords(request) : this.transactionInWords(request);
    return this.shown(
      'Approve a request',
      `${shown}
<form method="post" action="/approve/"><input type="hidden" name="transactionId" value="${escapeHtml(id)}">
<input type="hidden" name="closes" value="${query.has('closeafteraction')}">
<div class="buttons"><button class="main" name="decision" value="approve"${this.maySign(request) ? '' : ' disabled'}>Approve</button>
<button name="decision" value="reject">Reject</button></div></form>`,
      { script: 'request', data: { watch } },
    );
  }

  private transactionInWords(request: WalletRequestInfo): string {
    const { core } = this.gateway;
    const { origin, request: params, commandId = '', id, party: signer } = request;
    const transaction = core.store.transactions.get(id)!;
    const warning = this.maySign(request)
      ? ''
      : '<p class="notice bad" role="alert">This wallet has no right to submit a transaction.</p>';
    return `<h1>${who(origin)} wants to submit a transaction</h1>${warning}
<h2>What it does</h2>${commandsInWords(params?.commands)}
<h2>Signed by</h2><p>${(params?.actAs ?? [signer]).map(party).join(', ')}</p>
<h2>Result</h2>${this.effects(request)}
<details><summary>Details</summary>${facts(['Command', code(commandId)], ['Request', code(id)], ['Hash', code(transaction.preparedTransactionHash)])}</details>`;
  }

  private effects({ request, party: signer }: WalletRequestInfo): string {
    try {
      const step = this.gateway.core.ports.simulate({ actAs: [signer], ...request });
      return step === undefined ? '' : effectsInWords(step);
    } catch (error) {
      return `<p class="notice bad" role="alert">${escapeHtml((error as Error).message)}</p>`;
    }
  }

  private maySign({ kind, party: signer, userId }: WalletRequestInfo): boolean {
    if (kind === 'message') return true;
    const { store } = this.gateway.core;
    if (store.sessions.get(userId) === undefined) return false;
    return store
      .walletsOf(userId)
      .some(
        ({ partyId, rights }) =>
          partyId === signer && rights.some((right) => right !== 'CanReadAs'),
      );
  }

  private async decided(form: URLSearchParams): Promise<WireAnswer> {
    const id = form.get('transactionId') ?? '';
    const closes = form.get('closes') === 'true';
    const { requests } = this.gateway;
    try {
      if (form.get('decision') === 'approve') await requests.approve({ id });
      else await requests.reject({ id });
      return this.outcome(id, closes);
    } catch (error) {
      return framed(
        'Failed',
        `<h1>The request failed</h1><p class="notice bad" role="alert">${escapeHtml((error as Error).message)}</p><p><a href="/activities/">Show the requests</a></p>`,
        { status: 500 },
      );
    }
  }

  private outcome(id: string, closes: boolean): WireAnswer {
    const words = OUTCOMES[this.statusOf(id)] ?? OUTCOMES['gone']!;
    return this.shown(
      words,
      `<h1>${words}</h1><p>You can close this page. <a href="/activities/">Show the requests</a></p>`,
      { script: 'request', data: closes ? { close: '' } : {} },
    );
  }

  /** `gone` for a rejected, withdrawn or unknown request. */
  private statusOf(id: string): string {
    const { transactions, messages } = this.gateway.core.store;
    return messages.get(id) === undefined ? (transactions.get(id)?.status ?? 'gone') : 'pending';
  }

  private activities(): WireAnswer {
    const { store, start, session } = this.gateway.core;
    if (session === undefined) return TO_LOGIN;
    const wallets = store
      .walletsOf(start.userId)
      .map(
        ({ partyId, primary }) =>
          `<li class="card">${party(partyId)}${primary ? ' (primary)' : ''}</li>`,
      );
    const transactions = store.transactionsOf(start.userId).reverse().slice(0, SHOWN);
    const rows = transactions.map(activity);
    return this.shown(
      'Wallet',
      `<h1>Wallet of ${escapeHtml(start.userId)}</h1>
<h2>Accounts</h2><ul>${wallets.join('')}</ul>
<h2>Requests</h2>${rows.length === 0 ? '<p>No app has asked for anything.</p>' : `<ul>${rows.join('')}</ul>`}`,
    );
  }

  /** Forms of other pages are not accepted: a browser sends their origin. */
  private async posted(
    { header, readBody }: Exchange,
    then: (form: URLSearchParams) => Promise<WireAnswer>,
  ): Promise<WireAnswer> {
    const origin = header('origin');
    const isOwn = origin === undefined || origin.replace(/^https?:\/\//, '') === header('host');
    // A page without a referrer sends this for its own forms too.
    if (!isOwn && !(origin === 'null' && header('sec-fetch-site') === 'same-origin'))
      return framed('Refused', '<h1>This form belongs to another page</h1>', { status: 403 });
    try {
      return await then(new URLSearchParams((await readBody(MAX_FORM_BYTES)).toString()));
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) throw error;
      return framed('Refused', '<h1>This form is too long</h1>', { status: 413 });
    }
  }
}

/** The number of requests in the list: the latest ones. */
const SHOWN = 100;

const OUTCOMES: Readonly<Record<string, string>> = {
  executed: 'The transaction was executed',
  signed: 'The transaction was signed, and not executed',
  pending: 'The request waits',
  failed: 'The transaction failed',
  gone: 'The request was decided or withdrawn',
};

const who = (origin: string | undefined): string =>
  origin === undefined ? 'A program' : escapeHtml(origin);

const messageInWords = ({ origin, party: signer, message = '' }: WalletRequestInfo): string =>
  `<h1>${who(origin)} wants a signature</h1>
<h2>Message</h2><p class="card">${escapeHtml(message)}</p>
<h2>Signed by</h2><p>${party(signer)}</p>`;

function activity({ id, commandId, status, createdAt, origin }: GatewayTransaction): string {
  const link = `/approve/index.html?transactionId=${id}`;
  const title = `<a href="${link}">${escapeHtml(commandId)}</a>`;
  return `<li class="card"><p>${title}: ${status}</p>${facts(['Asked by', who(origin)], ['At', escapeHtml(createdAt)])}</li>`;
}

const plain = (body: string): WireAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body,
});

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return isError(cause) ? `${message}: ${cause.message}` : message;
}
