/** A network with the test token's rules on it, and what a wallet and the registry's operator do there. */
import {
  acceptedNow,
  type SynchronizerId,
  type Network,
  openNetwork,
  submitReassignment,
  type ReassignmentCommand,
  submit,
} from '../../src/network/index.js';
import {
  interfaceView,
  Numeric,
  STABLE_PACKAGES,
  type Command,
  type CreateNode,
  type ContractInstance,
  type ExerciseNode,
  type Transaction,
  type ContractId,
  type DamlRecord,
  type Party,
  type Timestamp,
} from '../../src/daml/index.js';
import { EMPTY_METADATA, basicAccount } from '../../src/token/holdings/conversions.js';
import { registryLedger } from '../../src/token/registry/network-ledger.js';
import { TOKEN_PACKAGES } from '../../src/token/package.js';
import {
  instructionContext,
  transferFactoryV1,
  transferFactoryV2,
  type InstructionStep,
  type RegistryAnswer,
  type RegistryContext,
  type RegistryLedger,
} from '../../src/token/registry/registry.js';
import type { ChoiceContext } from '../../src/token/standard/metadata-v1.js';
import * as v1 from '../../src/token/standard/transfer-instruction-v1.js';
import * as v2 from '../../src/token/standard/transfer-instruction-v2.js';
import { TokenRules } from '../../src/token/token-rules.js';
import { Token, type TokenPayload } from '../../src/token/holdings/token.js';

export const HOUR = 3_600_000_000n;
const INSTRUMENT_ID = 'Gold';

export interface TransferWish {
  readonly sender?: Party;
  readonly receiver?: Party;
  readonly amount?: string;
  readonly inputs: readonly ContractId[];
  readonly instrumentId?: { readonly admin: Party; readonly id: string };
  readonly requestedAt?: Timestamp;
  readonly executeBefore?: Timestamp;
  readonly reason?: string;
}

const SYNCHRONIZERS = [
  { alias: 'global', identifier: 'global-domain' },
  { alias: 'app', identifier: 'app-synchronizer' },
];

export class TokenWorld {
  readonly network: Network;
  readonly admin: Party;
  readonly alice: Party;
  readonly bob: Party;
  readonly carol: Party;
  readonly rules: ContractId;
  private commands = 0;

  constructor() {
    this.network = openNetwork({
      synchronizers: SYNCHRONIZERS,
      packages: [...STABLE_PACKAGES, ...TOKEN_PACKAGES],
    });
    const allocate = (hint: string) => this.participant.allocateParty(hint);
    this.admin = allocate('registry');
    this.alice = allocate('alice');
    this.bob = allocate('bob');
    this.carol = allocate('carol');
    const { nodes } = this.submit(
      [this.admin],
      [{ kind: 'create', templateId: TokenRules.id, payload: { admin: this.admin } }],
      [],
      this.network.synchronizers[0]!.id,
    );
    this.rules = (nodes[0] as CreateNode).contract.contractId;
  }

  get participant() {
    return this.network.participants[0]!;
  }

  get now(): Timestamp {
    return this.network.clock.now();
  }

  set now(time: Timestamp) {
    this.network.clock.set(time);
  }

  /** Active contracts, in order of creation; those in flight among them. */
  get active(): ReadonlyMap<ContractId, ContractInstance> {
    const { contracts, updates } = this.network;
    const active = new Map<ContractId, ContractInstance>();
    for (let index = 0; index < updates.length; index++) {
      const update = updates.at(index);
      if (update?.kind !== 'transaction') continue;
      for (const node of update.transaction.nodes)
        if (
          node.kind === 'create' &&
          contracts.state(node.contract.contractId)?.kind !== 'archived'
        )
          active.set(node.contract.contractId, node.contract);
    }
    return active;
  }

  submit(
    actAs: readonly Party[],
    commands: readonly Command[],
    disclosed: readonly ContractInstance[] = [],
    synchronizerId?: SynchronizerId,
  ): Transaction {
    const sender = this.participant;
    const result = acceptedNow(sender.ledger, () =>
      submit(sender, {
        commandId: `command-${this.commands++}`,
        userId: 'wallet',
        actAs,
        commands,
        synchronizerId,
        disclosedContracts: disclosed.map((contract) => ({ contract, synchronizerId: undefined })),
      }),
    );
    return result.update.transaction;
  }

  /** Takes a contract off its synchronizer; the result puts it onto the other. */
  unassign(contractId: ContractId): () => void {
    const { contract, synchronizerId } = this.registry.contract(contractId)!;
    const target = this.network.synchronizers.find(({ id }) => id !== synchronizerId)!.id;
    const submitter = contract.signatories[0]!;
    const reassign = (command: ReassignmentCommand) => {
      const sender = this.participant;
      const result = acceptedNow(sender.ledger, () =>
        submitReassignment(sender, {
          commandId: `command-${this.commands++}`,
          userId: 'wallet',
          submitter,
          commands: [command],
        }),
      );
      return result.update.events[0]!.reassignmentId;
    };
    const source = synchronizerId!;
    const reassignmentId = reassign({ kind: 'unassign', contractId, source, target });
    return () => void reassign({ kind: 'assign', reassignmentId, source, target });
  }

  exercise(
    actAs: readonly Party[],
    on: { readonly id: string },
    contractId: ContractId,
    choice: string,
    argument: DamlRecord,
    disclosed: readonly ContractInstance[] = [],
  ): ExerciseNode {
    const command: Command = { kind: 'exercise', templateId: on.id, contractId, choice, argument };
    return this.submit(actAs, [command], disclosed).nodes[0] as ExerciseNode;
  }

  mint(
    receiver: Party,
    amount: string,
    more: { instrument?: string; lock?: TokenPayload['lock'] } = {},
  ): ContractId {
    const { instrument = INSTRUMENT_ID, lock = null } = more;
    const argument = {
      instrumentId: instrument,
      receiver,
      amount: Numeric.of(amount, 10),
      lock,
      meta: EMPTY_METADATA,
    };
    const actAs = [this.admin, receiver, ...(lock?.value.holders ?? [])];
    return this.exercise(actAs, TokenRules, this.rules, 'TokenRules_Mint', argument as DamlRecord)
      .result as ContractId;
  }

  transferV1(wish: TransferWish): v1.Transfer {
    const {
      sender = ALICE,
      receiver = BOB,
      amount = '10',
      inputs,
      instrumentId = INSTRUMENT,
    } = wish;
    return {
      sender,
      receiver,
      amount: Numeric.of(amount, 10),
      instrumentId,
      requestedAt: wish.requestedAt ?? this.now,
      executeBefore: wish.executeBefore ?? this.now + HOUR,
      inputHoldingCids: inputs,
      meta: {
        values: new Map(
          wish.reason ? [['splice.lfdecentralizedtrust.org/reason', wish.reason]] : [],
        ),
      },
    };
  }

  /** Asks the registry, then exercises the factory as the sender: what a wallet does. */
  instruct(wish: TransferWish): v1.TransferInstructionResult & { readonly node: ExerciseNode } {
    const transfer = this.transferV1(wish);
    const answer = expectOk(transferFactoryV1(this.registry, { transfer }));
    const argument = { expectedAdmin: this.admin, transfer, extraArgs: extraArgs(answer.context) };
    const node = this.exercise(
      [transfer.sender],
      v1.TransferFactory,
      answer.factoryId,
      'TransferFactory_Transfer',
      argument as DamlRecord,
      answer.disclosed.map(({ contract }) => contract),
    );
    return { ...(node.result as unknown as v1.TransferInstructionResult), node };
  }

  instructV2(wish: TransferWish, actors?: readonly Party[]): v2.TransferInstructionResult {
    const { sender, receiver, ...rest } = this.transferV1(wish);
    const transfer = { ...rest, sender: basicAccount(sender), receiver: basicAccount(receiver) };
    const answer = expectOk(transferFactoryV2(this.registry, { transfer }));
    const argument = { transfer, actors: actors ?? [sender], extraArgs: extraArgs(answer.context) };
    const disclosed = answer.disclosed.map(({ contract }) => contract);
    const { result } = this.exercise(
      actors ?? [sender],
      v2.TransferFactory,
      answer.factoryId,
      'TransferFactory_Transfer',
      argument as unknown as DamlRecord,
      disclosed,
    );
    return result as unknown as v2.TransferInstructionResult;
  }

  /** Offers and returns the instruction's contract id. */
  offer(wish: TransferWish): ContractId {
    const { output } = this.instruct(wish);
    if (output.tag !== 'TransferInstructionResult_Pending')
      throw new Error(`Expected an offer, got ${output.tag}`);
    return output.value.transferInstructionCid;
  }

  step(
    step: InstructionStep,
    actor: Party,
    instruction: ContractId,
    given?: RegistryContext,
  ): ExerciseNode {
    const { context, disclosed } =
      given ?? expectOk(instructionContext(this.registry, instruction, step));
    const argument = { extraArgs: extraArgs(context) } as DamlRecord;
    return this.exercise(
      [actor],
      v1.TransferInstruction,
      instruction,
      CHOICES[step],
      argument,
      disclosed.map(({ contract }) => contract),
    );
  }

  stepV2(step: InstructionStep, actors: readonly Party[], instruction: ContractId): ExerciseNode {
    const { context, disclosed } = expectOk(instructionContext(this.registry, instruction, step));
    const argument = { actors, extraArgs: extraArgs(context) } as DamlRecord;
    return this.exercise(
      actors,
      v2.TransferInstruction,
      instruction,
      CHOICES[step],
      argument,
      disclosed.map(({ contract }) => contract),
    );
  }

  get registry(): RegistryLedger {
    return registryLedger(this.network, this.network.participants, this.admin);
  }

  tokens(owner?: Party): readonly TokenPayload[] {
    return [...this.active.values()]
      .filter(({ templateId }) => templateId === Token.id)
      .map(({ payload }) => payload as unknown as TokenPayload)
      .filter((token) => owner === undefined || token.owner === owner);
  }

  /** `alice: 7 (locked), 3` … as text, for tests that read like the rule. */
  balance(owner: Party): string {
    return this.tokens(owner)
      .map(({ amount, lock }) => `${shown(amount)}${lock === null ? '' : ' locked'}`)
      .join(', ');
  }

  supply(): string {
    return shown(this.tokens().reduce((sum, { amount }) => sum.add(amount), Numeric.of('0', 10)));
  }

  view(on: { readonly id: string }, contractId: ContractId): DamlRecord {
    return interfaceView(this.participant.packagesFor(), on.id, this.active.get(contractId)!);
  }
}

/** Without the zeros at its end. */
export function shown(amount: Numeric): string {
  return amount.toString().replace(/\.?0+$/, '');
}

const CHOICES = {
  accept: 'TransferInstruction_Accept',
  reject: 'TransferInstruction_Reject',
  withdraw: 'TransferInstruction_Withdraw',
} as const;

export function extraArgs(context: ChoiceContext): DamlRecord {
  return { context, meta: EMPTY_METADATA } as unknown as DamlRecord;
}

export function expectOk<T>(answer: RegistryAnswer<T>): T {
  if (!answer.ok)
    throw new Error(`The registry refused: ${answer.refusal.kind}: ${answer.refusal.message}`);
  return answer.value;
}

/** Ids follow from seed and calls, so every world has the same parties. */
export const { admin: ADMIN, alice: ALICE, bob: BOB, carol: CAROL } = new TokenWorld();
export const INSTRUMENT = { admin: ADMIN, id: INSTRUMENT_ID };
