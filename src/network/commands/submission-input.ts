/** The interpreter's input from a submission: its commands, and the contracts that its readers can see. */
import { isOfKnownVersion, versionOf } from '../../daml/contract/contract-id.js';
import type { Claim, InterpreterInput, UsedContracts } from '../../daml/interpreter/input.js';
import { interpretation, ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { EngineRules } from '../../daml/refusals/engine-rules.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { PartySets } from '../../daml/model/parties.js';
import type { ContractInstance, ContractKey } from '../../daml/model/transaction.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import { explainInterpretation } from '../explanation/explain.js';
import type { Participant } from '../participant.js';
import type { Protocol } from '../model/protocol.js';
import { failureText } from '../extensions/services.js';
import { traceOf } from '../ledger/submission-info.js';
import { protocolFor } from '../routing/interpretation-protocol.js';
import { unexpectedFailure } from '../../daml/errors/unexpected.js';
import type { DisclosedContract, Submission } from '../submission/submission.js';

export class SubmissionInput implements InterpreterInput {
  readonly commands: Submission['commands'];
  readonly actAs: readonly Party[];
  readonly seed: string;
  readonly onTime: InterpreterInput['onTime'];
  readonly externalCall: InterpreterInput['externalCall'];
  readonly protocol: Protocol;
  readonly rollsBackEffects: boolean;
  readonly rules: EngineRules | undefined;
  readonly packages: PackageLookup;
  readonly partySets: PartySets;
  readonly deadline: InterpreterInput['deadline'];
  private readonly disclosed: ReadonlyMap<ContractId, DisclosedContract>;

  constructor(
    private readonly participant: Participant,
    private readonly submission: Submission,
    readonly ledgerTime: Timestamp,
    {
      seed,
      onTime,
      externalCall,
    }: Partial<Pick<InterpreterInput, 'seed' | 'onTime' | 'externalCall'>>,
  ) {
    const { random, nextNumber, partySets, deadline } = participant.ledger;
    this.deadline = deadline;
    this.commands = submission.commands;
    this.actAs = submission.actAs;
    this.seed = seed ?? random.hexAt('transaction', nextNumber);
    this.onTime = onTime;
    this.externalCall = externalCall ?? serviceOf(participant, submission);
    this.protocol = protocolFor(participant, submission);
    this.rollsBackEffects = this.protocol.rollsBackEffects;
    this.rules = participant.shared.rules;
    this.packages = withoutNames(
      participant.packagesFor(submission.packageIdSelectionPreference),
      submission.packagesLeftOut,
    );
    this.partySets = partySets;
    this.disclosed = disclosedById(submission);
  }

  contract(id: ContractId): ContractInstance | undefined {
    // Checked for each contract, regardless of its source.
    if (!isOfKnownVersion(id))
      throw this.rules?.rejectsUnsupportedIds ? unsupportedId(id) : unexpectedFailure(NO_VERSION);
    const shown = this.disclosed.get(id);
    return shown ? authenticBefore(shown) : this.visible(id);
  }

  claim(id: ContractId): Claim | undefined {
    const shown = this.disclosed.get(id);
    // A disclosed contract that matches its id and is on the ledger is the ledger's contract.
    const isOurs = shown?.error === undefined && this.participant.ledger.contracts.get(id);
    return shown === undefined || isOurs ? undefined : { error: shown.error };
  }

  /** Disclosed contracts come first, in the order of the request. */
  *contractsByKey({ hash }: ContractKey): Generator<ContractInstance, void, undefined> {
    const { disclosed, submission, participant } = this;
    for (const shown of disclosed.values()) {
      const { contractId, key } = shown.contract;
      if (key?.hash === hash && isOfKnownVersion(contractId)) yield authenticBefore(shown);
    }
    if (submission.keysOfDisclosedOnly) return;
    for (const id of participant.ledger.contracts.withKey(hash)) {
      const contract = disclosed.has(id) ? undefined : this.visible(id);
      if (contract !== undefined) yield contract;
    }
  }

  onRefusal(error: LedgerError, used: UsedContracts): void {
    explainInterpretation(this.participant, this.submission, this, error, used);
  }

  /**
   * Not archived, and with a reader among its stakeholders. Contracts in flight are visible here, and routing rejects
   * them.
   */
  private visible(id: ContractId): ContractInstance | undefined {
    const { participant } = this;
    const stored = participant.ledger.contracts.get(id);
    if (stored === undefined || stored.isArchived) return undefined;
    const { instance } = stored;
    if (!participant.hostsStakeholder(instance)) return undefined;
    return this.hasReader(instance.signatories) || this.hasReader(instance.observers)
      ? instance
      : undefined;
  }

  private hasReader(parties: readonly Party[]): boolean {
    const { actAs, readAs = NOBODY } = this.submission;
    for (let i = 0; i < parties.length; i++)
      if (actAs.includes(parties[i]!) || readAs.includes(parties[i]!)) return true;
    return false;
  }
}

/** The extension services of the participant, undefined if it has none. */
function serviceOf(
  participant: Participant,
  { traceContext }: Submission,
): InterpreterInput['externalCall'] {
  const { ledger, shared } = participant;
  if (shared.extensions === undefined) return undefined;
  return (call) => {
    const answer = ledger.externalCalls.ask(participant, call, 'submission');
    if ('output' in answer) return answer;
    const [, traceId = ''] = traceOf(ledger.random, traceContext)?.traceparent?.split('-') ?? [];
    return { error: failureText(answer.failure, traceId) };
  };
}

const NO_VERSION =
  'A participant fails when it looks a contract up by an id whose suffix is of no version that it knows, such as an id that was made up.';
const unsupportedId = (id: ContractId): LedgerError =>
  ledgerError('UNSUPPORTED_CONTRACT_ID', {
    cause: interpretation(`Update failed due to a unsupported contract ID ${id}`),
    resources: [['CONTRACT_ID', id]],
    explanation: 'The suffix of the contract id is of no version that the participant knows.',
  });

const NOBODY: readonly Party[] = [];
const NOTHING_DISCLOSED: ReadonlyMap<ContractId, DisclosedContract> = new Map();

function disclosedById(submission: Submission): ReadonlyMap<ContractId, DisclosedContract> {
  if (submission.disclosedContracts === undefined) return NOTHING_DISCLOSED;
  const byId = new Map<ContractId, DisclosedContract>();
  for (const disclosed of submission.disclosedContracts)
    byId.set(disclosed.contract.contractId, disclosed);
  return byId;
}

/**
 * A disclosed contract that does not match its id is an error only when it is used. For ids before V12 the error comes
 * at once, otherwise together with the check of its data.
 */
function authenticBefore({ contract, error }: DisclosedContract): ContractInstance {
  if (error && versionOf(contract.contractId)?.hashing !== 'typedNormalForm') throw error;
  return contract;
}

function withoutNames(
  packages: PackageLookup,
  names: ReadonlySet<string> | undefined,
): PackageLookup {
  if (names === undefined) return packages;
  return {
    ...packages,
    packageIdForName: (name) => (names.has(name) ? undefined : packages.packageIdForName(name)),
  };
}
