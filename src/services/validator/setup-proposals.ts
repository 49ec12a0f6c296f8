/**
 * Setup of an external party on Amulet. The validator proposes it, and the party accepts with a transaction that it signs. The party then
 * has a preapproval, and the validator gets its rewards (V-PRO-001 to V-PRO-013).
 */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { decodeExercise } from '../../daml/codec/json/command.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Party } from '../../daml/model/values.js';
import { executePrepared } from '../../network/external/execution.js';
import { prepareTransaction } from '../../network/external/preparation.js';
import type { ProtoPrepared } from '../../network/external/prepared/messages.js';
import { readPrepared } from '../../network/external/prepared/recently-prepared.js';
import { acceptedNow } from '../../network/ledger/in-flight.js';
import { SIGNATURE_ALGORITHM, SIGNATURE_FORMAT } from '../../network/topology/party-keys.js';
import type { ExternalPartySubmission } from '../../spec/generated/validator.js';
import type { Validator } from '../../splice/validators/validator.js';
import { executeOperation, OperationFailed } from '../../splice/wallet/treasury.js';
import { Wallet } from '../../splice/wallet/wallet.js';
import { HttpRefusal, type SomeHandlers, type ValidatorContext } from '../handler.js';
import { fromBase64 } from '../ledger-api/formats/crypto-messages.js';
import { contractWithState } from '../scan/formats/contracts.js';
import { readParty } from '../scan/formats/requests.js';
import { ed25519Key, fromHex } from './external-parties.js';
import { preapprovalFor, setupProposalFor, setupProposals } from './store.js';
import { installedWallets } from '../../splice/validators/wallets.js';

/** The lifetime of a preapproval, in microseconds: 90 days. */
const PREAPPROVAL_LIFETIME = 90n * 86_400_000_000n;
const PROPOSAL = '#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal';
const NO_DETAILS =
  'Verbose hashing is disabled on this participant. Contact the node administrator for more details.';

export const setupProposalHandlers = {
  createExternalPartySetupProposal: (context, { body }) => {
    const { validator } = context;
    const user = readParty(body.user_party_id);
    const exists = (what: string, contractId: string) =>
      new HttpRefusal(409, `${what} contract already exists: ${contractId}`);
    const proposal = setupProposalFor(validator, user);
    if (proposal) throw exists('ExternalPartySetupProposal', proposal.contractId);
    const preapproval = preapprovalFor(validator, user);
    if (preapproval) throw exists('TransferPreapproval', preapproval.contractId);
    return { contract_id: proposed(context, user) };
  },
  listExternalPartySetupProposals: ({ splice, validator }) => ({
    contracts: setupProposals(validator).map((each) => contractWithState(splice, each)),
  }),
  prepareAcceptExternalPartySetupProposal: (context, { body }) => {
    const user = readParty(body.user_party_id);
    const proposal = setupProposalFor(context.validator, user);
    if (proposal === undefined)
      throw new HttpRefusal(404, `No ExternalPartySetupProposal contract found for ${user}`);
    if (proposal.contractId !== body.contract_id)
      throw new HttpRefusal(400, 'Found contract does not match provided contractId.');
    if (context.network.contracts.state(proposal.contractId)?.kind !== 'active')
      throw new HttpRefusal(400, 'Invalid contract');
    return prepared(context, user, proposal.contractId, body.verbose_hashing ?? false);
  },
  submitAcceptExternalPartySetupProposal: ({ validator }, { body: { submission } }) => {
    const user = readParty(submission.party_id);
    const updateId = submitSigned(validator, submission);
    const preapproval = preapprovalFor(validator, user);
    if (preapproval === undefined)
      throw new HttpRefusal(400, 'TransferPreapproval contract was not created.');
    return { transfer_preapproval_contract_id: preapproval.contractId, update_id: updateId };
  },
} satisfies SomeHandlers<'validator'>;

/**
 * Creates the proposal through the wallet of the validator's own party.
 * @throws HttpRefusal, LedgerError
 */
function proposed({ splice, validator, network }: ValidatorContext, user: Party): string {
  const { party } = validator;
  if (!installedWallets(validator).some((each) => each.party === party))
    throw new HttpRefusal(404, `No wallet found for validator party ${party}`);
  const preapprovalExpiresAt = formatTimestampMicros(network.clock.now() + PREAPPROVAL_LIFETIME);
  try {
    const outcome = executeOperation(new Wallet(splice, validator, party), {
      tag: 'CO_CreateExternalPartySetupProposal',
      value: { externalParty: user, preapprovalExpiresAt },
    });
    return outcome as string;
  } catch (error) {
    if (!(error instanceof OperationFailed)) throw error;
    const { reason, values } = error;
    if (reason === 'ITR_InsufficientFunds')
      throw new HttpRefusal(
        400,
        `Insufficient funds for the transfer pre-approval purchase (missing ${values.join()} CC)`,
      );
    throw new HttpRefusal(
      400,
      `Unexpectedly failed to create external party setup proposal due to ${reason}(${values.join(', ')})`,
    );
  }
}

function prepared(
  { network, validator, enableVerboseHashing }: ValidatorContext,
  user: Party,
  contractId: string,
  verboseHashing: boolean,
) {
  const { participant, user: userId } = validator;
  const choice = 'ExternalPartySetupProposal_Accept';
  const packages = participant.packagesFor();
  const { command, refusal } = decodeExercise(packages, PROPOSAL, contractId, choice, {});
  const submission = {
    actAs: [user],
    readAs: [user],
    commands: [command],
    errors: refusal && { preprocessing: refusal },
    commandId: network.nextNumber,
    userId,
    synchronizerId: network.synchronizers[0]!.id,
  };
  const { text, hash, hashingDetails } = prepareTransaction(participant, submission, () => ({
    hashingVersion: 2,
    explainsHash: verboseHashing && enableVerboseHashing,
  }));
  return {
    transaction: text,
    tx_hash: Buffer.from(hash).toString('hex'),
    hashing_details: hashingDetails ?? (verboseHashing ? NO_DETAILS : undefined),
  };
}

/**
 * @returns the id of the update
 * @throws HttpRefusal for invalid input; LedgerError if the ledger refuses it
 */
function submitSigned(
  { participant, user }: Validator,
  { party_id: party, transaction, signed_tx_hash, public_key }: ExternalPartySubmission,
): string {
  const signature = fromHex(signed_tx_hash);
  if (signature === undefined) throw new HttpRefusal(400, 'Unable to parse signed tx hash');
  const { fingerprint: signedBy } = ed25519Key(public_key);
  const [format, signingAlgorithmSpec] = [SIGNATURE_FORMAT.RAW, SIGNATURE_ALGORITHM.ED25519];
  const { ledger } = participant;
  const request = {
    prepared: decodedPrepared(transaction),
    signatures: new Map([[party, [{ format, signature, signedBy, signingAlgorithmSpec }]]]),
    hashingVersion: 2 as const,
    submissionId: ledger.random.uuid('submission of an external party'),
    userId: user,
    isAwaited: true,
  };
  return acceptedNow(ledger, () => executePrepared(participant, request)).update.updateId;
}

/** NOTE: a real validator fails for other messages, with the status 500. */
function decodedPrepared(text: string): ProtoPrepared {
  try {
    return readPrepared(text, fromBase64);
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof LedgerError)
      throw new HttpRefusal(500, 'An unexpected error occurred.');
    throw error;
  }
}
