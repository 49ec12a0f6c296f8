/**
 * Preapprovals that the validator provides: lists, finds and cancels them (V-PRE-001 to V-PRE-005). Its transfer
 * commands are disabled, as by default (V-SND-001).
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import { synchronizerOf } from '../../splice/dso/amulet-contracts.js';
import { Submitter } from '../../splice/submitter.js';
import { requireTraffic } from '../../splice/validators/traffic.js';
import type { Validator } from '../../splice/validators/validator.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { contractWithState } from '../scan/formats/contracts.js';
import { readParty } from '../scan/formats/requests.js';
import { preapprovalFor, preapprovals } from './store.js';

const PREAPPROVAL = '#splice-amulet:Splice.AmuletRules:TransferPreapproval';
const PARTY = 'receiver-party';

export const preapprovalHandlers = {
  listTransferPreapprovals: ({ splice, validator }) => ({
    contracts: preapprovals(validator).map((each) => contractWithState(splice, each)),
  }),
  lookupTransferPreapprovalByPartyAdministered: ({ splice, validator }, { path }) => ({
    transfer_preapproval: contractWithState(splice, required(validator, path[PARTY])),
  }),
  cancelTransferPreapprovalByParty: ({ splice, validator }, { path }) => {
    const { contractId } = required(validator, path[PARTY]);
    const synchronizer = synchronizerOf(splice, contractId);
    if (synchronizer === undefined)
      throw new HttpRefusal(400, 'TransferPreapproval contract is not assigned to a domain.');
    requireTraffic(validator);
    const { participant, user, party } = validator;
    new Submitter(participant, user).exercise(
      PREAPPROVAL,
      contractId,
      'TransferPreapproval_Cancel',
      { p: party },
      { actAs: [party], readAs: [party], synchronizer },
    );
    return undefined;
  },
  prepareTransferPreapprovalSend: () => unsupported(),
  submitTransferPreapprovalSend: () => unsupported(),
} satisfies SomeHandlers<'validator'>;

function required(validator: Validator, text: string): ContractInstance {
  const receiver = readParty(text);
  const found = preapprovalFor(validator, receiver);
  if (found === undefined)
    throw new HttpRefusal(404, `No TransferPreapproval found for party: ${receiver}`);
  return found;
}

function unsupported(): never {
  throw new HttpRefusal(
    501,
    'Transfer command support is disabled by default and will be removed in 0.8.0. You can temporarily enable in on 0.7.x by setting enable-deprecated-transfer-command-support=true in your validator config.',
  );
}
