/** Controls of the wallet of the Wallet Gateway. */
import { formatDuration } from '../../daml/model/time.js';
import { isError } from '../../daml/errors/realms.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type {
  DecidedRequest as DecidedMessage,
  Wallet as WalletMessage,
} from '../../spec/generated/control.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';
import type { WalletControl } from '../wallet-control.js';

function walletOf({ walletGateway }: ControlContext): WalletControl {
  if (walletGateway === undefined)
    throw new HttpRefusal(
      404,
      'This Canticle has no Wallet Gateway. Start it with --wallet-gateway.',
    );
  return walletGateway;
}

function shown(wallet: WalletControl): WalletMessage {
  const { mode, delay, fail, failedEvents, replayEvents, isLocked, session } = wallet;
  const { pending, wallets } = wallet;
  return {
    mode,
    delay: formatDuration(delay),
    ...(fail !== undefined && { fail }),
    failedEvents,
    replayEvents,
    locked: isLocked,
    ...(session !== undefined && { session }),
    wallets: wallets.map((each) => ({ ...each })),
    pending: pending as unknown as WalletMessage['pending'],
  };
}

/** The error of a decision is an answer to the caller, who chose the request. */
async function deciding<T>(decision: Promise<T>): Promise<T> {
  try {
    return await decision;
  } catch (error) {
    if (error instanceof LedgerError || !isError(error)) throw error;
    throw new HttpRefusal(409, error.message);
  }
}

export const wallet = {
  getWallet: (context) => shown(walletOf(context)),

  setWallet: async (context, { body }) => {
    const control = walletOf(context);
    const { mode, delay, fail, failedEvents, replayEvents, locked, network, party } = body;
    if (mode !== undefined) control.mode = mode;
    if (delay !== undefined) control.delay = delay;
    if (fail !== undefined) control.fail = fail === '' ? undefined : fail;
    if (failedEvents !== undefined) control.failedEvents = failedEvents;
    if (replayEvents !== undefined) control.replayEvents = replayEvents;
    if (network !== undefined) await deciding(control.network(network));
    if (party !== undefined) await deciding(control.as(party));
    if (locked === true) control.lock();
    if (locked === false) await control.unlock();
    return shown(control);
  },

  connectWallet: async (context) => ({ ...(await deciding(walletOf(context).connect())) }),

  disconnectWallet: (context, { body: { silently = false } }) => {
    const control = walletOf(context);
    if (silently) control.dropSession();
    else control.disconnect();
    return shown(control);
  },

  approveWalletRequest: async (context, { body }) => {
    const { signal } = context;
    const decided = await deciding(walletOf(context).approve({ ...body, signal }));
    return decided as unknown as DecidedMessage;
  },

  rejectWalletRequest: async (context, { body }) => {
    const { signal } = context;
    const decided = await deciding(walletOf(context).reject({ ...body, signal }));
    return decided as unknown as DecidedMessage;
  },
} satisfies SomeHandlers<'control'>;
