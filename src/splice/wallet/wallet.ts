/** A wallet: the party of a validator's user, and the contracts that concern it and that the validator's participant sees. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { Splice } from '../splice.js';
import type { Validator } from '../validators/validator.js';
import { installedWallet } from '../validators/wallets.js';
import { notFound } from './refusals.js';
import { concerns, isOf, templateName, type WalletKey, type WalletTemplate } from './templates.js';

/** The maximum length of a wallet's lists (WA-GEN-005). */
const MAX_LISTED = 1000;

export class Wallet implements WalletKey {
  constructor(
    readonly splice: Splice,
    readonly validator: Validator,
    readonly party: Party,
  ) {}

  get dsoParty(): Party {
    return this.splice.dsoParty;
  }

  get validatorParty(): Party {
    return this.validator.party;
  }

  /** All active contracts of a template that concern the party, in order of activation. */
  *contracts(template: WalletTemplate): Generator<ContractInstance, void, undefined> {
    const { activeContracts } = this.validator.participant;
    const key = { party: this.party, templates: [templateName(template)] };
    for (const { contract } of activeContracts.now([key]))
      if (concerns(contract, template, this)) yield contract;
  }

  /** The first of these contracts, at most {@link MAX_LISTED}. */
  list(template: WalletTemplate): readonly ContractInstance[] {
    const listed: ContractInstance[] = [];
    for (const contract of this.contracts(template)) {
      if (listed.length === MAX_LISTED) break;
      listed.push(contract);
    }
    return listed;
  }

  first(template: WalletTemplate): ContractInstance | undefined {
    const [found] = this.contracts(template);
    return found;
  }

  /** An active contract of the template that concerns the party; undefined if there is none with this id. */
  find(template: WalletTemplate, contractId: ContractId): ContractInstance | undefined {
    const contract = this.validator.participant.activeContracts.get(contractId)?.contract;
    if (contract === undefined || !isOf(contract, template)) return undefined;
    return concerns(contract, template, this) ? contract : undefined;
  }

  /**
   * Like `find`, but throws if there is none.
   * @throws WalletRefusal NOT_FOUND, with the text of Splice's stores
   */
  get(template: WalletTemplate, contractId: ContractId): ContractInstance {
    const found = this.find(template, contractId);
    if (found !== undefined) return found;
    const [packageName, module, entity] = templateName(template).split(':');
    const packageId = this.validator.participant.packagesFor().packageIdForName(packageName!) ?? '';
    const id = `id = ${contractId}`;
    const type = `type = ${packageId.slice(0, 12)}...:${module}:${entity}`;
    // Canton's pretty-printer breaks lines of more than 200 characters.
    const line = `ContractId(${id}, ${type})`;
    const printed = line.length <= 200 ? line : `ContractId(\n  ${id},\n  ${type}\n)`;
    throw notFound(`Contract id not found: ${printed}`);
  }
}

/** The wallet of a user; undefined if none is installed. Users of one party share its wallet. */
export function walletOf(splice: Splice, validator: Validator, user: string): Wallet | undefined {
  const found = installedWallet(validator, user);
  return found && new Wallet(splice, validator, found.party);
}
