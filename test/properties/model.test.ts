/**
 * Random valid and invalid commands on two participants and two synchronizers. A small model that shares no code
 * with the engine predicts each outcome, and the contracts that each party holds and sees after it.
 */
import fc from 'fast-check';
import { check, isUsualRun } from '../support/property.js';
import { steps } from './commands.js';
import { SideBySide } from './side-by-side.js';

it('the model predicts each outcome, and the contracts and events of each party after it', async () => {
  const reached = new Set<string>();
  await check(
    fc.asyncProperty(steps, async (list) => {
      const ran = await new SideBySide().run(list);
      for (const { kind, code } of ran.reached) reached.add(`${kind}: ${code}`);
    }),
    { numRuns: 40 },
  );
  // The property covers only the situations that the runs reach.
  if (isUsualRun) expect(WORTH_REACHING.filter((outcome) => !reached.has(outcome))).toEqual([]);
});

const WORTH_REACHING = [
  'advance: accepted',
  'advance: assigned by itself',
  'assign: INVALID_ARGUMENT',
  'assign: REASSIGNMENT_VALIDATION_FAILED',
  'assign: accepted',
  'endOffer: DAML_FAILURE',
  'endOffer: DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH',
  'endOffer: REGISTRY 404',
  'endOffer: REGISTRY 409',
  'endOffer: accepted',
  'exerciseIou: CONTRACT_NOT_FOUND',
  'exerciseIou: DAML_AUTHORIZATION_ERROR',
  'exerciseIou: DUPLICATE_COMMAND',
  'exerciseIou: INVALID_PRESCRIBED_SYNCHRONIZER_ID',
  'exerciseIou: NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT',
  'exerciseIou: TEMPLATE_PRECONDITION_VIOLATED',
  'exerciseIou: UNKNOWN_CONTRACT_SYNCHRONIZERS',
  'exerciseIou: accepted',
  'issue: DUPLICATE_COMMAND',
  'issue: accepted',
  'issue: assigned by itself',
  'migrate: INVALID_ARGUMENT',
  'migrate: accepted',
  'mint: accepted',
  'revert: INVALID_ARGUMENT',
  'revert: accepted',
  'schedule: INVALID_ARGUMENT',
  'schedule: accepted',
  'snapshot: accepted',
  'transfer: CONTRACT_NOT_ACTIVE',
  'transfer: DAML_FAILURE',
  'transfer: REGISTRY 409',
  'transfer: NO_SYNCHRONIZER_FOR_SUBMISSION',
  'transfer: accepted',
  'unassign: INVALID_ARGUMENT',
  'unassign: accepted',
];
