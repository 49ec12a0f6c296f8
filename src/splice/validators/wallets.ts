/**
 * The wallets of a validator's users: a user has one where a `WalletAppInstall` of its name is on the ledger (V-GEN-006). Users of one
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
  /** Of its `WalletAppInstall`. */
  readonly install: ContractId;
}

/** The wallet of a user; undefined where it is not onboarded. Its cost is that of its party's installs, where it has its primary party's. */
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

/** By which the validator has the rewards of a party's activity. */
export function validatorRightOf(validator: Validator, user: Party): ContractInstance | undefined {
  for (const contract of contractsAt(validator, user, VALIDATOR_RIGHT))
    if (contract.payload.user === user && contract.payload.validator === validator.party)
      return contract;
  return undefined;
}

/**
 * Whether the validator keeps a wallet for a party that signs for itself: once it gave the validator its right, and if its keys are mapped
 * on the synchronizer apart from who hosts it (V-BAL-002).
 */
export function hasExternalWallet(validator: Validator, party: Party): boolean {
  return isMappedApart(validator, party) && validatorRightOf(validator, party) !== undefined;
}

/** The parties of all such wallets, in the order in which they gave their rights. */
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
  return ledger.externalParties.get(party, ledger.synchronizers[0]!.id)?.isMappedApart === true;
}

/** Active contracts of a template at the validator's participant that have the party as a stakeholder, in order of activation. */
function* contractsAt(
  { participant }: Validator,
  party: Party,
  template: TemplateName,
): Generator<ContractInstance, void, undefined> {
  for (const { contract } of participant.activeContracts.now([{ party, templates: [template] }]))
    yield contract;
}
