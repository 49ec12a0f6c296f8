/** Creates a name of a wallet in one step. The name is requested, paid and collected through the code of the DSO. */
import type { Numeric } from '../daml/model/numeric.js';
import type { World } from './world.js';
import { latestOf } from '../splice/dso/amulet-contracts.js';
import { nameOf, userEntries } from '../splice/dso/names.js';
import { requestName } from '../splice/wallet/names.js';
import { latestOpenRound } from '../splice/wallet/rounds.js';
import { executeOperation } from '../splice/wallet/treasury.js';
import type { Wallet } from '../splice/wallet/wallet.js';
import { ScenarioError } from '../wallet/scenario-error.js';

export interface NameEntry {
  /** The full name, or the name without its suffix. */
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

/** @throws ScenarioError if the DSO rejects the name, or if there is no name service */
export function giveName({ splice, amulet }: World, wallet: Wallet, given: NameEntry): void {
  const { url = '', description = '' } = given;
  const suffix = `.unverified.${splice.instanceNames.nameServiceNameAcronym.toLowerCase()}`;
  const name = given.name.includes('.') ? given.name : given.name + suffix;
  const rules = latestOf(splice, 'ansRules');
  if (rules === undefined)
    throw new ScenarioError(
      `The name ${name} is not available: it needs the DARs of Splice's name service. Run canticle dars for the missing files.`,
    );
  const isThere = () => userEntries(splice).some((each) => nameOf(each) === name);
  const refusal = new ScenarioError(
    `The name ${name} is not available: it is taken or not valid. A name has letters, digits, - and _, and ends with ${suffix}.`,
  );
  if (isThere()) throw refusal;
  const { entryFee } = rules.payload.config as unknown as { readonly entryFee: Numeric };
  const { amuletPrice } = latestOpenRound(splice).payload as { readonly amuletPrice: Numeric };
  amulet.tap(wallet.party, entryFee.divide(amuletPrice).toString());
  const { requestCid } = requestName(wallet, { name, url, description });
  const tag = 'CO_SubscriptionAcceptAndMakeInitialPayment';
  executeOperation(wallet, { tag, value: requestCid });
  splice.automation.carryOut();
  if (!isThere()) throw refusal;
}
