/** The pages for the parties of the gateway's user. Elements and labels have the gateway's names, so that its tests find them. */
import { escapeHtml } from '../../services/pages/html.js';
import { SIGNING_PROVIDERS, type Wallet } from '../../services/wallet-gateway/records.js';
import { removeSession } from '../../services/wallet-gateway/sessions.js';
import type { WalletGateway } from '../../services/wallet-gateway/wallet-gateway.js';
import { chooseAccount, createWallet } from '../../services/wallet-gateway/wallets.js';
import type { WireAnswer } from '../answers.js';
import { facts, framed } from './frame.js';
import { party } from './request-words.js';

const LIST = '/parties/';
export const TO_LOGIN: WireAnswer = { status: 302, headers: { location: '/login/' } };
/** After a form. */
const TO_LIST: WireAnswer = { status: 303, headers: { location: LIST } };

export class PartyPages {
  constructor(private readonly gateway: WalletGateway) {}

  list(): WireAnswer {
    const { session, store, start } = this.gateway.core;
    if (session === undefined) return TO_LOGIN;
    const cards = store.walletsOf(start.userId).map(card);
    const shown = cards.length === 0 ? '<p>The user has no parties.</p>' : cards.join('');
    const add = `<form action="${LIST}new/"><div class="buttons"><button>New</button></div></form>`;
    return framed('Parties', `<h1>Parties</h1>${shown}${add}`, { hasMenu: true });
  }

  creation(error?: string): WireAnswer {
    if (this.gateway.core.session === undefined) return TO_LOGIN;
    const message =
      error === undefined ? '' : `<p class="notice bad" role="alert">${escapeHtml(error)}</p>`;
    const providers = SIGNING_PROVIDERS.map((id) => `<option value="${id}">${id}</option>`);
    return framed(
      'New party',
      `<h1>Create a new party</h1>${message}
<form method="post" action="${LIST}"><label>Party ID Hint <input name="hint" required></label>
<label>Signing Provider <select name="provider">${providers.join('')}</select></label>
<label><input type="checkbox" name="primary" value="true"> Set as primary wallet</label>
<div class="buttons"><button class="main">Create</button></div></form>`,
      { hasMenu: true },
    );
  }

  /** Creates a party, or makes one primary. */
  async changed(form: URLSearchParams): Promise<WireAnswer> {
    const { core } = this.gateway;
    const { session, start } = core;
    if (session === undefined) return TO_LOGIN;
    const user = { userId: start.userId, accessToken: session.accessToken };
    const chosen = form.get('party');
    try {
      if (chosen !== null) await chooseAccount(core, user, chosen);
      else
        await createWallet(core, user, {
          partyHint: form.get('hint') ?? '',
          signingProviderId: form.get('provider') ?? '',
          primary: form.has('primary'),
        });
      return TO_LIST;
    } catch (error) {
      return this.creation((error as Error).message);
    }
  }

  async loggedOut(): Promise<WireAnswer> {
    const { core, root } = this.gateway;
    if (core.session !== undefined)
      removeSession(core, { root }, core.start.userId, 'removed session');
    return framed(
      'Logged out',
      '<h1>You are logged out</h1><p><a href="/login/">Log in again</a></p>',
      { script: 'logout' },
    );
  }
}

function card({ partyId, primary, status, signingProviderId, disabled }: Wallet): string {
  const isUsable = !primary && disabled !== true;
  const choose = `<form method="post" action="${LIST}"><div class="buttons"><button name="party" value="${escapeHtml(partyId)}">Set as primary</button></div></form>`;
  return `<wg-wallet-card party-id="${escapeHtml(partyId)}" class="card"><p>${party(partyId)}${primary ? ' (primary)' : ''}</p>
${facts(['Signed by', signingProviderId], ['Status', disabled === true ? 'disabled' : status])}${isUsable ? choose : ''}</wg-wallet-card>`;
}
