/**
 * Submits commands of Splice's nodes, with their parties at a participant. Arguments are Ledger API JSON of the newest known version. It
 * omits fields that the installed package does not have.
 */
import {
  decodeCreate,
  decodeCreateAndExercise,
  decodeExercise,
  type DecodedCommand,
} from '../daml/codec/json/command.js';
import { invariant } from '../daml/errors/ledger-error.js';
import { resolveTypeId, template, type PackageLookup } from '../daml/model/package.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { DamlType } from '../daml/model/types.js';
import type { ContractId, DamlValue, Party } from '../daml/model/values.js';
import { submit } from '../network/commands/submit.js';
import type { DeduplicationPeriod } from '../network/model/deduplication-period.js';
import { acceptedNow } from '../network/ledger/in-flight.js';
import type { Participant } from '../network/participant.js';
import type { DisclosedContract } from '../network/submission/submission.js';
import type { TransactionUpdate } from '../network/model/updates.js';
import { fitting } from './fitting.js';

export interface Acting {
  readonly actAs: readonly Party[];
  readonly readAs?: readonly Party[] | undefined;
  readonly disclosedContracts?: readonly DisclosedContract[] | undefined;
  /** Synchronizer id; by default, routing chooses it. */
  readonly synchronizer?: string | undefined;
  /** The command id and deduplication period of a change that may be repeated. */
  readonly change?: Change | undefined;
}

export interface Change {
  readonly commandId: string;
  readonly period: DeduplicationPeriod;
}

/** The outcome of one command. */
export interface Done {
  /** The result of the choice. */
  readonly result: DamlValue;
  /** All contracts that the transaction created, in order. */
  readonly created: readonly ContractInstance[];
}

export class Submitter {
  /** @param userId the participant's user that submits */
  constructor(
    readonly participant: Participant,
    private readonly userId: string,
  ) {}

  /**
   * @param reference `#package-name:Module:Entity`
   * @throws LedgerError if the ledger refuses it
   */
  create(reference: string, payload: unknown, acting: Acting): ContractId {
    const [root] = this.submit([this.creation(reference, payload)], acting).transaction.nodes;
    invariant(root?.kind === 'create', 'a creation is its own root');
    return root.contract.contractId;
  }

  /**
   * A create command for {@link submit}.
   * @throws LedgerError for an invalid payload
   */
  creation(reference: string, payload: unknown): DecodedCommand {
    const packages = this.participant.packagesFor();
    const type = definition(packages, reference)?.payloadType;
    return decodeCreate(packages, reference, fittingTo(packages, type, payload));
  }

  /** @throws LedgerError if the ledger refuses it */
  exercise(
    reference: string,
    contractId: ContractId,
    choice: string,
    argument: unknown,
    acting: Acting,
  ): Done {
    return done(this.submit([this.command(reference, contractId, choice, argument)], acting));
  }

  /** @throws LedgerError if the ledger refuses it */
  createAndExercise(
    reference: string,
    payload: unknown,
    choice: string,
    argument: unknown,
    acting: Acting,
  ): void {
    const packages = this.participant.packagesFor();
    const template = definition(packages, reference);
    const command = decodeCreateAndExercise(
      packages,
      reference,
      fittingTo(packages, template?.payloadType, payload),
      choice,
      fittingTo(packages, template?.choices.get(choice)?.argumentType, argument),
    );
    this.submit([command], acting);
  }

  /**
   * An exercise command for a transaction with several commands.
   * @throws LedgerError for an invalid argument
   */
  command(
    reference: string,
    contractId: ContractId,
    choice: string,
    argument: unknown,
  ): DecodedCommand {
    const packages = this.participant.packagesFor();
    const type = definition(packages, reference)?.choices.get(choice)?.argumentType;
    const fitted = fittingTo(packages, type, argument);
    return decodeExercise(packages, reference, contractId, choice, fitted);
  }

  /**
   * Submits the commands as one transaction.
   * @throws LedgerError if the ledger refuses it
   */
  submit(
    commands: readonly DecodedCommand[],
    { actAs, readAs, disclosedContracts, synchronizer, change }: Acting,
  ): TransactionUpdate {
    const { participant, userId } = this;
    const { ledger } = participant;
    const refusal = commands.find(({ refusal }) => refusal !== undefined)?.refusal;
    const submission = {
      actAs,
      readAs,
      disclosedContracts,
      commands: commands.map(({ command }) => command),
      errors: refusal && { preprocessing: refusal },
      commandId: change?.commandId ?? ledger.nextNumber,
      deduplicationPeriod: change?.period,
      userId,
      synchronizerId: synchronizer,
    };
    return acceptedNow(ledger, () => submit(participant, submission)).update;
  }
}

function done({ transaction: { nodes, roots } }: TransactionUpdate): Done {
  const root = nodes[roots[0]!];
  invariant(root?.kind === 'exercise', 'an exercise is its own root');
  const created = nodes.flatMap((node) => (node.kind === 'create' ? [node.contract] : []));
  return { result: root.result, created };
}

function definition(packages: PackageLookup, reference: string) {
  const id = resolveTypeId(packages, reference);
  return id === undefined ? undefined : template(packages, id);
}

function fittingTo(packages: PackageLookup, type: DamlType | undefined, json: unknown): unknown {
  return type === undefined ? json : fitting(packages, type, json);
}
