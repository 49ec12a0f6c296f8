/** A registry with an offer from Alice to Bob, and the client of a wallet: it speaks to the two APIs and nothing else. */
import { Numeric, type ContractId, type DamlRecord, type Party } from '../../../src/daml/index.js';
import { EMPTY_METADATA } from '../../../src/token/holdings/conversions.js';
import { TokenRules } from '../../../src/token/token-rules.js';
import { SpliceWorld, TWO_SYNCHRONIZERS, type Answer } from '../../support/splice/splice-world.js';

export type Version = 'v1' | 'v2';
export const VERSIONS: readonly Version[] = ['v1', 'v2'];

const PACKAGES = {
  v1: '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1',
  v2: '#splice-api-token-transfer-instruction-v2:Splice.Api.Token.TransferInstructionV2',
};
const CHOICES = { accept: 'Accept', reject: 'Reject', withdraw: 'Withdraw' } as const;
export type Step = keyof typeof CHOICES;

export class RegistryWorld extends SpliceWorld {
  readonly alice: Party;
  readonly bob: Party;
  readonly rules: ContractId;
  private submissions = 0;

  constructor(registryPrefixes: readonly string[] = []) {
    super({ network: { synchronizers: TWO_SYNCHRONIZERS }, registryPrefixes });
    this.alice = this.participant.allocateParty('alice');
    this.bob = this.participant.allocateParty('bob');
    this.rules = this.create([this.admin], TokenRules.id, { admin: this.admin });
  }

  get admin(): Party {
    return this.splice.registryAdmin;
  }

  mint(receiver: Party, amount: string, instrumentId = 'TestToken'): ContractId {
    const argument = {
      instrumentId,
      receiver,
      amount: Numeric.of(amount),
      lock: null,
      meta: EMPTY_METADATA,
    };
    const update = this.exercise(
      [this.admin, receiver],
      TokenRules.id,
      this.rules,
      'TokenRules_Mint',
      argument as DamlRecord,
    );
    const [node] = update.transaction.nodes;
    return (node as unknown as { result: ContractId }).result;
  }

  /** `TransferFactory_Transfer` as a wallet writes it, before it knows the context. */
  factoryArguments(
    version: Version,
    inputs: readonly ContractId[],
    receiver = this.bob,
  ): Record<string, unknown> {
    const account = (owner: Party) =>
      version === 'v1' ? owner : { owner, provider: null, id: '' };
    return {
      ...(version === 'v1' ? { expectedAdmin: this.admin } : { actors: [this.alice] }),
      transfer: {
        sender: account(this.alice),
        receiver: account(receiver),
        amount: '4.0',
        instrumentId: { admin: this.admin, id: 'TestToken' },
        requestedAt: '2026-01-01T00:00:00Z',
        executeBefore: '2026-01-02T00:00:00Z',
        inputHoldingCids: inputs,
        meta: { values: { 'splice.lfdecentralizedtrust.org/reason': '' } },
      },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    };
  }

  factory(version: Version, choiceArguments: unknown): Promise<Answer> {
    return this.post(`/registry/transfer-instruction/${version}/transfer-factory`, {
      choiceArguments,
      excludeDebugFields: true,
    });
  }

  /** Ten tokens for Alice, four of them offered to Bob: what a wallet does. */
  async offer(version: Version, receiver = this.bob): Promise<Answer> {
    const given = this.factoryArguments(version, [this.mint(this.alice, '10')], receiver);
    const { factoryId, choiceContext } = (await this.factory(version, given)).body;
    return this.submitExercise(
      this.alice,
      `${PACKAGES[version]}:TransferFactory`,
      factoryId,
      'TransferFactory_Transfer',
      given,
      choiceContext,
    );
  }

  /** The contract id of the offer that {@link offer} made. */
  async instruction(version: Version): Promise<ContractId> {
    const { body } = await this.offer(version);
    for (const { ExercisedEvent } of body.transaction.events)
      if (ExercisedEvent?.choice === 'TransferFactory_Transfer')
        return ExercisedEvent.exerciseResult.output.value.transferInstructionCid;
    throw new Error('The transfer made no offer.');
  }

  contextFor(
    version: Version,
    step: Step,
    instruction: string,
    body: unknown = {},
    mount = '',
  ): Promise<Answer> {
    return this.post(
      `${mount}/registry/transfer-instruction/${version}/${instruction}/choice-contexts/${step}`,
      body,
    );
  }

  /** Exercises the choice with what the registry said. */
  take(
    version: Version,
    step: Step,
    actor: Party,
    instruction: ContractId,
    context: unknown,
  ): Promise<Answer> {
    const given = version === 'v1' ? {} : { actors: [actor] };
    return this.submitExercise(
      actor,
      `${PACKAGES[version]}:TransferInstruction`,
      instruction,
      `TransferInstruction_${CHOICES[step]}`,
      { ...given, extraArgs: { meta: { values: {} } } },
      context as Context,
    );
  }

  /** Submits the choice over the JSON Ledger API, with the context and the disclosed contracts that a registry told. */
  submitExercise(
    actor: Party,
    templateId: string,
    contractId: ContractId,
    choice: string,
    given: Record<string, unknown>,
    { choiceContextData, disclosedContracts }: Context,
  ): Promise<Answer> {
    const extraArgs = { ...(given.extraArgs as object), context: choiceContextData };
    const choiceArgument = { ...given, extraArgs };
    const commands = {
      commands: [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }],
      commandId: `wallet-${++this.submissions}`,
      userId: 'wallet',
      actAs: [actor],
      readAs: [],
      disclosedContracts,
    };
    const wildcard = {
      identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } },
    };
    const eventFormat = { filtersByParty: { [actor]: { cumulative: [wildcard] } }, verbose: false };
    const transactionFormat = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' };
    return this.post('/v2/commands/submit-and-wait-for-transaction', {
      commands,
      transactionFormat,
    });
  }
}

export interface Context {
  readonly choiceContextData: unknown;
  readonly disclosedContracts: readonly unknown[];
}
