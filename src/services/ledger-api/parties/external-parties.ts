/** External parties: the topology transactions that they sign, and their hosting. */
import { lazy } from '../../../daml/errors/lazy.js';
import { invalidArgument } from '../../../network/model/request-errors.js';
import { logged, QUOTED } from '../../../daml/errors/logging-context.js';
import type { SigningPublicKey } from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';
import { base64, fromBase64, readKeyEnum, readSignature } from '../formats/crypto-messages.js';
import type * as Allocation from '../../../network/external/allocation.js';
import type * as Generation from '../../../network/external/generate.js';

const allocation = lazy(
  () => require('../../../network/external/allocation.js') as typeof Allocation,
);
const generation = lazy(
  () => require('../../../network/external/generate.js') as typeof Generation,
);

/** The reader leaves a missing message unset, even if its schema requires it. */
function readPublicKey(sent: SigningPublicKey | undefined) {
  if (sent === undefined) throw invalidArgument('Field `public_key` is not set');
  const { format, keyData, keySpec } = sent;
  // The Ledger API and Canton's keys use different numbers for formats, so a number without a name matches no format.
  if (/^-?\d+$/.test(format))
    throw invalidArgument(`Unrecognized value \`${format}\` in enum field \`format\``);
  return { ...readKeyEnum(format, keySpec), keyData: fromBase64(keyData) };
}

export const externalParties = {
  'postV2PartiesExternalGenerate-topology': logged(QUOTED, ({ participant }, { body }) => {
    const publicKey = readPublicKey(body.publicKey);
    const generated = generation().generateTopology(participant, { ...body, publicKey });
    return {
      partyId: generated.partyId,
      publicKeyFingerprint: generated.publicKeyFingerprint,
      topologyTransactions: generated.topologyTransactions.map(base64),
      multiHash: base64(generated.multiHash),
    };
  }),

  postV2PartiesExternalAllocate: logged(QUOTED, ({ participant, partyQuota }, { body }) => ({
    partyId: allocation().allocateExternalParty(participant, {
      ...body,
      partyQuota,
      onboardingTransactions: body.onboardingTransactions.map(({ transaction, signatures }) => ({
        transaction: fromBase64(transaction),
        signatures: signatures?.map(readSignature),
      })),
      multiHashSignatures: body.multiHashSignatures?.map(readSignature),
    }),
  })),
} satisfies SomeHandlers<'ledger'>;
