/**
 * Commands that a validator submits for its wallets, as its user at its participant, with values as Ledger API JSON. On request, a repeated
 * command returns the result of the accepted one.
 */
import { createHash } from 'node:crypto';
import { invariant, LedgerError } from '../../daml/errors/ledger-error.js';
import type { ContractId, DamlValue, Party } from '../../daml/model/values.js';
import type { TransactionUpdate } from '../../network/model/updates.js';
import { Submitter, type Acting, type Change } from '../submitter.js';
import { requireTraffic } from '../validators/traffic.js';
import type { Validator } from '../validators/validator.js';

export interface Deduplicated extends Change {
  /** Whether a duplicate command returns the result of the accepted one, rather than an error. */
  readonly recovers: boolean;
}

export interface SubmitOptions extends Omit<Acting, 'change'> {
  /** Absent for a command without deduplication. */
  readonly deduplicated?: Deduplicated | undefined;
  /** Whether it may use the traffic reserved for purchases. */
  readonly isUrgent?: boolean | undefined;
}

/**
 * @returns the result of the choice
 * @throws LedgerError, AppRefusal 429 without traffic
 */
export function exercise(
  validator: Validator,
  reference: string,
  contractId: ContractId,
  choice: string,
  argument: unknown,
  options: SubmitOptions,
): DamlValue {
  const root = submitted(validator, options, (submitter) =>
    submitter.command(reference, contractId, choice, argument),
  );
  invariant(root.kind === 'exercise', 'an exercise is its own root');
  return root.result;
}

/**
 * @returns the id of the new contract
 * @throws LedgerError, AppRefusal 429 without traffic
 */
export function create(
  validator: Validator,
  reference: string,
  payload: unknown,
  options: SubmitOptions,
): ContractId {
  const root = submitted(validator, options, (submitter) => submitter.creation(reference, payload));
  invariant(root.kind === 'create', 'a creation is its own root');
  return root.contract.contractId;
}

/**
 * A command id as Splice's apps compute it: equal for equal requests of the same parties.
 * @param method without `_`
 */
export function commandIdFor(
  method: string,
  parties: readonly Party[],
  ...discriminator: readonly string[]
): string {
  const [only = ''] = discriminator;
  // With several texts, each follows its length; a single text has no length.
  const parts =
    discriminator.length < 2
      ? [only]
      : discriminator.flatMap((text) => [String(text.length), text]);
  const text = [String(parties.length), ...parties, ...parts].join('/');
  return `${method}_${createHash('sha256').update(text).digest('hex')}`;
}

function submitted(
  validator: Validator,
  { deduplicated, isUrgent = false, ...acting }: SubmitOptions,
  command: (submitter: Submitter) => ReturnType<Submitter['command']>,
) {
  if (!isUrgent) requireTraffic(validator);
  const { participant, user } = validator;
  const submitter = new Submitter(participant, user);
  try {
    const whole = { ...acting, change: deduplicated };
    return rootOf(submitter.submit([command(submitter)], whole));
  } catch (error) {
    const earlier = deduplicated?.recovers ? acceptedEarlier(participant, error) : undefined;
    if (earlier === undefined) throw error;
    return rootOf(earlier);
  }
}

/** The accepted transaction of which a DUPLICATE_COMMAND error reports a duplicate. */
function acceptedEarlier(
  { log }: Validator['participant'],
  error: unknown,
): TransactionUpdate | undefined {
  if (!(error instanceof LedgerError) || error.code !== 'DUPLICATE_COMMAND') return undefined;
  const { completion_offset: offset } = error.details.context ?? {};
  const update = offset === undefined ? undefined : log.entry(Number(offset))?.update;
  return update?.kind === 'transaction' ? update : undefined;
}

function rootOf({ transaction: { nodes, roots } }: TransactionUpdate) {
  invariant(roots.length === 1, 'one command has one root');
  return nodes[roots[0]!]!;
}
