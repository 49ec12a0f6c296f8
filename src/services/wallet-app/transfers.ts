/** Transfers of amulets without an offer: by preapprovals and by the token standard (WA-TST-001 to WA-TST-007). */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ArithmeticError, Numeric } from '../../daml/model/numeric.js';
import type { DamlRecord, DamlValue, DamlVariant } from '../../daml/model/values.js';
import type {
  CreateTokenStandardTransferRequest,
  TransferInstructionResultResponse,
} from '../../spec/generated/wallet.js';
import { preapprove, sendPreapproved } from '../../splice/wallet/preapprovals.js';
import { onceADay } from '../../splice/wallet/tap.js';
import { stepTransfer, transferTokens, type Version } from '../../splice/wallet/token-standard.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { HttpRefusal, Reply } from '../handler.js';
import { contracts } from './lists.js';
import { readDecimal, readParty, readTime } from './reading.js';
import { forWalletUsers } from './wallet-handler.js';

type Step = 'accept' | 'reject' | 'withdraw';

interface StepInput {
  readonly path: { readonly contract_id: string };
}

const step =
  (version: Version, verb: Step) =>
  (wallet: Wallet, { path }: StepInput) =>
    resultJson(stepTransfer(wallet, version, verb, path.contract_id));

const create =
  (version: Version) =>
  (wallet: Wallet, { body }: { readonly body: CreateTokenStandardTransferRequest }) => {
    const method = `org.lfdecentralizedtrust.splice.wallet.createTokenStandardTransfer${version === 1 ? '' : 'V2'}`;
    const request = {
      receiver: readParty(body.receiver_party_id),
      amount: readBigDecimal(body.amount),
      description: body.description,
      expiresAt: readTime(body.expires_at),
    };
    const deduplicated = onceADay(wallet, method, body.tracking_id);
    try {
      return resultJson(transferTokens(wallet, version, request, deduplicated));
    } catch (error) {
      if (error instanceof LedgerError && error.grpcCode === ALREADY_EXISTS)
        throw new HttpRefusal(409, 'CreateTokenStandardTransfer duplicate command');
      throw error;
    }
  };

const ALREADY_EXISTS = 6;

export const transferHandlers = forWalletUsers({
  createTransferPreapproval: (wallet) => {
    const { contractId, isOld } = preapprove(wallet);
    const body = { transfer_preapproval_contract_id: contractId };
    // The status 409 has the same body: the existing preapproval.
    return isOld ? new Reply(body, { status: 409 }) : body;
  },
  transferPreapprovalSend: (wallet, { body }) => {
    sendPreapproved(wallet, {
      receiver: readParty(body.receiver_party_id),
      amount: readDecimal(body.amount).toString(),
      description: body.description,
      deduplicationId: body.deduplication_id,
    });
  },
  createTokenStandardTransfer: create(1),
  createTokenStandardTransferV2: create(2),
  listTokenStandardTransfers: (wallet) => ({ transfers: contracts(wallet, 'transferInstruction') }),
  acceptTokenStandardTransfer: step(1, 'accept'),
  acceptTokenStandardTransferV2: step(2, 'accept'),
  rejectTokenStandardTransfer: step(1, 'reject'),
  rejectTokenStandardTransferV2: step(2, 'reject'),
  withdrawTokenStandardTransfer: step(1, 'withdraw'),
  withdrawTokenStandardTransferV2: step(2, 'withdraw'),
});

function resultJson(result: DamlValue): TransferInstructionResultResponse {
  const { output, senderChangeCids, meta } = result as unknown as {
    readonly output: DamlVariant;
    readonly senderChangeCids: readonly string[];
    readonly meta: { readonly values: ReadonlyMap<string, string> };
  };
  return {
    output: outputJson(output),
    sender_change_cids: [...senderChangeCids],
    meta: Object.fromEntries(meta.values),
  };
}

function outputJson({ tag, value }: DamlVariant): TransferInstructionResultResponse['output'] {
  const fields = value as DamlRecord;
  switch (tag) {
    case 'TransferInstructionResult_Completed':
      return { receiver_holding_cids: [...(fields.receiverHoldingCids as readonly string[])] };
    case 'TransferInstructionResult_Pending':
      return { transfer_instruction_cid: fields.transferInstructionCid as string };
    default:
      return {};
  }
}

/**
 * Any decimal that Java parses, unlike in other requests.
 * @throws HttpRefusal 400 with Java's text
 */
function readBigDecimal(text: string): string {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) {
    try {
      return Numeric.of(text.replace(/^([+-]?)\./, '$10.').replace(/^\+/, '')).toString();
    } catch (error) {
      // NOTE: this text is Canticle's.
      if (error instanceof ArithmeticError)
        throw new HttpRefusal(400, `${text} does not fit a Decimal of ten places.`);
      throw error;
    }
  }
  const odd = /[^\d.eE+-]/.exec(text)?.[0];
  throw new HttpRefusal(
    400,
    odd === undefined
      ? 'No digits found.'
      : `Character ${odd} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`,
  );
}
