/**
 * The wallets of a validator's users. A user has a wallet if the ledger has a `WalletAppInstall` with its name (V-GEN-006). Users of one
 * party share its wallet (V-REG-009).
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';
import type { Validator } from './validator.js';

export const WALLET_INSTALL: TemplateName = 'splice-wallet:Splice.Wallet.Install:WalletAppInstall';
const VALIDATOR_RIGHT: TemplateName = 'splice-amulet:Splice.Amulet:ValidatorRight';

export interface InstalledWallet {
  readonly userName: string;
  readonly party: Party;
  /** The id of its `WalletAppInstall`. */
  readonly install: ContractId;
}

/**
 * The wallet of a user; undefined if the user is not onboarded. For a wallet of the user's primary party, it reads that party's installs
 * only.
 */
export function installedWallet(
  validator: Validator,
  userName: string,
): InstalledWallet | undefined {
  const { participant, party } = validator;
  const primaryParty = participant.users.lookup(userName)?.user.primaryParty;
  for (const stakeholder of primaryParty ? [primaryParty, party] : [party])
    for (const wallet of walletsAmong(validator, stakeholder))
      if (wallet.userName === userName) return wallet;
  return undefined;
}

/** All wallets of a validator, in the order in which they were installed. */
export function installedWallets(validator: Validator): readonly InstalledWallet[] {
  return [...walletsAmong(validator, validator.party)];
}

function* walletsAmong(validator: Validator, stakeholder: Party): Generator<InstalledWallet> {
  for (const { contractId, payload } of contractsAt(validator, stakeholder, WALLET_INSTALL)) {
    if (payload.validatorParty !== validator.party) continue;
    const [userName, party] = [payload.endUserName as string, payload.endUserParty as Party];
    yield { userName, party, install: contractId };
  }
}

/** The right by which the validator gets the rewards for a party's activity. */
export function validatorRightOf(validator: Validator, user: Party): ContractInstance | undefined {
  for (const contract of contractsAt(validator, user, VALIDATOR_RIGHT))
    if (contract.payload.user === user && contract.payload.validator === validator.party)
      return contract;
  return undefined;
}

/**
 * Whether the validator has a wallet for an external party. The party must have granted its right, and its keys must have a separate
 * mapping on the synchronizer, apart from its hosting (V-BAL-002).
 */
export function hasExternalWallet(validator: Validator, party: Party): boolean {
  return isMappedApart(validator, party) && validatorRightOf(validator, party) !== undefined;
}

/** The parties of all such wallets, in the order in which they granted their rights. */
export function externalWalletsOf(validator: Validator): readonly Party[] {
  if (validator.participant.ledger.externalParties.isEmpty) return [];
  const parties = new Set<Party>();
  for (const { payload } of contractsAt(validator, validator.party, VALIDATOR_RIGHT)) {
    const user = payload.user as Party;
    if (payload.validator === validator.party && isMappedApart(validator, user)) parties.add(user);
  }
  return [...parties];
}

function isMappedApart({ participant: { ledger } }: Validator, party: Party): boolean {
  return ledger.externalParties.mappedKeys(party, ledger.synchronizers[0]!.id) !== undefined;
}

/** Active contracts of a template at the validator's participant with the party as a stakeholder, in order of activation. */
function* contractsAt(
  { participant }: Validator,
  party: Party,
  template: TemplateName,
): Generator<ContractInstance, void, undefined> {
  for (const { contract } of participant.activeContracts.now([{ party, templates: [template] }]))
    yield contract;
}
