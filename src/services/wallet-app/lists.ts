/** Lists of a wallet's contracts, in the form of its operations. */
import type { Contract, ContractWithState } from '../../spec/generated/wallet.js';
import type { WalletTemplate } from '../../splice/wallet/templates.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { contractJson, contractWithState } from '../scan/formats/contracts.js';

export function contracts(wallet: Wallet, template: WalletTemplate): Contract[] {
  return wallet.list(template).map((each) => contractJson(wallet.splice, each));
}

export function contractsWithState(wallet: Wallet, template: WalletTemplate): ContractWithState[] {
  return wallet.list(template).map((each) => contractWithState(wallet.splice, each));
}
