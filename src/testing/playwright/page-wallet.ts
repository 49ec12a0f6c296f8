/** The wallet of a Playwright test: it installs itself in pages, and the test decides its requests. */
import type { BrowserContext } from '@playwright/test';
import type { Canticle } from '../../assembly/canticle.js';
import type {
  ApproveOptions,
  DecidedRequest,
  RejectOptions,
  WalletAccount,
  WalletControl,
  WalletRequest,
} from '../../services/wallet-control.js';
import { LOG_IN, pageScript, type PageWalletOptions } from './page-script.js';

/** The wallet that the pages of a test find. By default it asks, and the test decides. */
export interface PageWallet {
  /** The gateway's wallet, with all of its settings. */
  readonly control: WalletControl;
  /** Approves a request. Without one, waits for the next. @throws LedgerRefused if the participant rejects the transaction */
  approve(options?: ApproveOptions): Promise<DecidedRequest>;
  /** Rejects a request. Without one, waits for the next. */
  reject(options?: RejectOptions): Promise<WalletRequest>;
  /**
   * Waits for a request, and does not decide it.
   * @param action part of the name of a choice that it exercises, or of a template that it creates; upper and lower case are equal
   * @throws Error if the request contains no such action
   */
  expects(action: string): Promise<WalletRequest>;
  /** Makes the wallet of a party primary, by its id or its hint, and creates it if there is none. */
  as(party: string): Promise<WalletAccount>;
}

/** @throws Error if the instance has no gateway */
export type { PageWalletOptions };

export async function pageWallet(
  canticle: Canticle,
  context: BrowserContext,
  options: PageWalletOptions,
): Promise<PageWallet> {
  const control = canticle.walletGateway;
  control.mode = 'ask';
  // Chromium asks its user before a page of another place calls this machine. Other browsers do not know the permission.
  await context.grantPermissions(['local-network-access']).catch(() => undefined);
  await context.exposeFunction(LOG_IN, () => control.connect());
  await context.addInitScript({ content: pageScript(canticle.urls.walletGateway!, options) });
  return {
    control,
    approve: (given) => control.approve(given),
    reject: (given) => control.reject(given),
    expects: async (action) => expected(await control.request(), action),
    as: (party) => control.as(party),
  };
}

function expected(request: WalletRequest, action: string): WalletRequest {
  const { actions } = request;
  const wanted = action.toLowerCase();
  if (actions.some((each) => each.toLowerCase().includes(wanted))) return request;
  throw new Error(
    `Expected a request with an action like ${JSON.stringify(action)}, but the wallet got: ${actions.join(', ') || request.kind}.`,
  );
}
