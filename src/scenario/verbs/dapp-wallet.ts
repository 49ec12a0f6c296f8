/** Verbs about the wallet of dApps. They require a Wallet Gateway. */
import { grantRight } from '../../network/administration/right-changes.js';
import type { DappWallet, WalletSettings } from '../../wallet/dapp-wallet.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { described, duration, name, oneOf, optional, text, yesOrNo } from '../fields.js';
import { verb } from '../row.js';
import type { World } from '../world.js';

/** @throws ScenarioError without a Wallet Gateway */
function walletOf({ dappWallet }: World): DappWallet {
  if (dappWallet !== undefined) return dappWallet;
  throw new ScenarioError(
    'There is no Wallet Gateway. Add `walletGateway: true` at the top of the file, or start with the option walletGateway.',
  );
}

const change = (wallet: DappWallet, settings: Partial<WalletSettings>): void => {
  wallet.settings = { ...wallet.settings, ...settings };
};

export const walletMode = verb({
  summary: 'Sets how the wallet of dApps decides: it approves, rejects, or asks the test.',
  subject: oneOf(['approve', 'ask', 'reject']),
  fields: {
    delay: optional(
      described(duration, 'Time until it approves or rejects. Default: it decides at once.'),
    ),
    fail: optional(described(text, 'The error of its signing provider. Default: it signs.')),
    failedEvents: optional(
      described(yesOrNo, 'Whether rejections and failed transactions emit txChanged.'),
    ),
    replayEvents: optional(
      described(yesOrNo, 'Whether a page that connects later gets the earlier events.'),
    ),
  },
  run: (world, mode, { delay = 0n, fail, failedEvents, replayEvents }) =>
    change(walletOf(world), {
      mode,
      delay,
      fail,
      ...(failedEvents !== undefined && { failedEvents }),
      ...(replayEvents !== undefined && { replayEvents }),
    }),
});

export const walletSession = verb({
  summary: 'Locks or unlocks the wallet of dApps, logs its user out, or loses the session.',
  subject: oneOf(['lock', 'unlock', 'disconnect', 'drop']),
  fields: {},
  run: (world, action) => {
    const wallet = walletOf(world);
    const { session } = wallet;
    if (action === 'disconnect') session?.disconnect();
    else if (action === 'drop') session?.dropSession();
    else if (session === undefined) change(wallet, { isLocked: action === 'lock' });
    else if (action === 'lock') session.lock();
    else void session.unlock();
  },
});

export const walletAccount = verb({
  summary: 'Makes a party the account of dApps. Without a session, the next one begins with it.',
  subject: described(name, 'A party, or the hint of a new external party.'),
  fields: {
    external: optional(
      described(yesOrNo, 'Whether to create an external party, whose key the wallet keeps.'),
    ),
  },
  run: (world, given, { external = false }) => {
    const wallet = walletOf(world);
    if (external) return wallet.order({ kind: 'account', party: given });
    const party = world.party(given);
    grantRight(wallet.user.users, wallet.user.id, { party }, [party]);
    wallet.order({ kind: 'account', party });
  },
});

export const walletNetwork = verb({
  summary:
    'Moves the wallet of dApps to another network. Without a session, the next one moves there.',
  subject: described(name, 'The id of the network, such as canton:other.'),
  fields: {},
  run: (world, id) => walletOf(world).order({ kind: 'network', id }),
});
