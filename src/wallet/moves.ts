/** Moves contracts between synchronizers as one participant asks for it. */
import type { ContractId, Party } from '../daml/model/values.js';
import { submitReassignment } from '../network/commands/reassign.js';
import type { SynchronizerId } from '../network/model/ids.js';
import { acceptedNow } from '../network/ledger/in-flight.js';
import { commandIdOf } from '../network/ledger/submission-info.js';
import type { Participant } from '../network/participant.js';
import { invalidArgument } from '../network/model/request-errors.js';
import type { ReassignmentCommand } from '../network/submission/submission.js';
import type { ReassignmentUpdate } from '../network/model/updates.js';
import { USER } from './submit-options.js';

export interface MoveOptions {
  /** A stakeholder hosted here; the first one found where absent. */
  readonly submitter?: Party;
  /** Any by default. */
  readonly commandId?: string;
  /** Refuse a move that would carry another counter. */
  readonly expectedCounter?: number;
}

export function move(
  engine: Participant,
  contractId: ContractId,
  { submitter = localStakeholder(engine, contractId), commandId }: MoveOptions,
  command: ReassignmentCommand,
): ReassignmentUpdate {
  const { ledger } = engine;
  const submission = {
    submitter,
    commandId: commandId ?? commandIdOf(ledger.random, ledger.nextNumber),
    userId: USER,
    commands: [command],
  };
  return acceptedNow(ledger, () => submitReassignment(engine, submission)).update;
}

function localStakeholder(engine: Participant, contractId: ContractId): Party {
  const { instance } = engine.ledger.contracts.get(contractId) ?? {};
  const found = [...(instance?.signatories ?? []), ...(instance?.observers ?? [])].find((party) =>
    engine.hosts(party),
  );
  if (found === undefined)
    throw invalidArgument(
      `Participant ${engine.name} hosts no stakeholder of contract ${contractId}.`,
    );
  return found;
}

/** @param name alias or id; the first where absent */
export function synchronizerOf(participant: Participant, name?: string): SynchronizerId {
  if (name !== undefined) return synchronizerNamed(participant, name);
  return participant.ledger.synchronizers[0]!.id;
}

/** @param name alias or id */
export function synchronizerNamed({ ledger }: Participant, name: string): SynchronizerId {
  const synchronizer = ledger.synchronizer(name);
  if (synchronizer === undefined)
    throw invalidArgument(
      `Unknown synchronizer ${name}. There are: ${ledger.synchronizers.map(({ alias }) => alias).join(', ')}.`,
    );
  return synchronizer.id;
}
