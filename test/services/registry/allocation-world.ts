/**
 * Delivery against payment with the test token, as wallets and a venue do it over the two APIs. Alice sells gold to Bob for
 * silver. Each allocates, and the venue settles both legs at once.
 */
import type { ContractId, Party } from '../../../src/daml/index.js';
import type { Answer } from '../../support/splice/splice-world.js';
import { RegistryWorld, type Context } from './registry-world.js';

const ALLOCATION = '#splice-api-token-allocation-v2:Splice.Api.Token.AllocationV2';
const INSTRUCTION =
  '#splice-api-token-allocation-instruction-v2:Splice.Api.Token.AllocationInstructionV2';
const EMPTY_ARGS = { context: { values: {} }, meta: { values: {} } };

export type Json = Record<string, unknown>;

export const account = (owner: Party) => ({ owner, provider: null, id: '' });

export class AllocationWorld extends RegistryWorld {
  readonly venue: Party = this.participant.allocateParty('venue');
  readonly settlement = { executors: [this.venue], id: 'trade-1', cid: null, meta: { values: {} } };
  readonly gold = this.leg('gold', this.alice, this.bob, '4.0');
  readonly silver = this.leg('silver', this.bob, this.alice, '30.0');

  leg(instrumentId: string, sender: Party, receiver: Party, amount: string) {
    return {
      transferLegId: `leg-${instrumentId}`,
      sender: account(sender),
      receiver: account(receiver),
      amount,
      instrumentId,
      meta: { values: {} },
    };
  }

  /** Those sides of the legs that are the party's. */
  sides(party: Party, legs: readonly ReturnType<AllocationWorld['leg']>[]) {
    return legs.flatMap(({ sender, receiver, ...terms }) => [
      ...(sender.owner === party ? [{ ...terms, side: 'SenderSide', otherside: receiver }] : []),
      ...(receiver.owner === party ? [{ ...terms, side: 'ReceiverSide', otherside: sender }] : []),
    ]);
  }

  /** `AllocationFactory_Allocate` as a wallet writes it. */
  request(party: Party, inputHoldingCids: readonly ContractId[], more: Json = {}): Json {
    return {
      settlement: this.settlement,
      allocation: {
        admin: this.admin,
        authorizer: account(party),
        transferLegSides: this.sides(party, [this.gold, this.silver]),
        settlementDeadline: '2026-01-02T00:00:00Z',
        nextIterationFunding: null,
        committed: false,
        meta: { values: {} },
        ...more,
      },
      requestedAt: '2026-01-01T00:00:00Z',
      inputHoldingCids,
      actors: [party],
      extraArgs: EMPTY_ARGS,
    };
  }

  allocationFactory(choiceArguments: unknown): Promise<Answer> {
    return this.post('/registry/allocation-instruction/v2/allocation-factory', {
      choiceArguments,
      excludeDebugFields: true,
    });
  }

  /** Allocates like a wallet: requests the factory, then exercises it. */
  async allocate(actor: Party, given: Json): Promise<Answer> {
    const { factoryId, choiceContext } = (await this.allocationFactory(given)).body;
    return this.submitExercise(
      actor,
      `${INSTRUCTION}:AllocationFactory`,
      factoryId,
      'AllocationFactory_Allocate',
      given,
      choiceContext,
    );
  }

  async allocated(actor: Party, given: Json): Promise<ContractId> {
    const answer = await this.allocate(actor, given);
    return resultOf(answer, 'AllocationFactory_Allocate').output.value.allocationCid;
  }

  /** Alice's and Bob's allocations for the trade, funded by ten gold and forty silver. */
  async trade(more: Json = {}): Promise<readonly [ContractId, ContractId]> {
    const gold = [this.mint(this.alice, '10.0', 'gold')];
    const silver = [this.mint(this.bob, '40.0', 'silver')];
    return [
      await this.allocated(this.alice, this.request(this.alice, gold, more)),
      await this.allocated(this.bob, this.request(this.bob, silver, more)),
    ];
  }

  /** `SettlementFactory_SettleBatch` as the venue writes it. */
  batch(allocations: readonly ContractId[], more: Json = {}): Json {
    return {
      settlement: this.settlement,
      transferLegs: [this.gold, this.silver],
      allocations: allocations.map((allocationCid) => ({
        allocationCid,
        extraTransferLegSides: [],
        nextIterationFunding: null,
      })),
      actors: [this.venue],
      extraArgs: EMPTY_ARGS,
      ...more,
    };
  }

  settlementFactory(choiceArguments: unknown): Promise<Answer> {
    return this.post('/registry/allocation/v2/settlement-factory', {
      choiceArguments,
      excludeDebugFields: true,
    });
  }

  async settle(given: Json, actor = this.venue): Promise<Answer> {
    const { factoryId, choiceContext } = (await this.settlementFactory(given)).body;
    return this.settleWith(given, factoryId, choiceContext, actor);
  }

  settleWith(given: Json, factoryId: ContractId, context: Context, actor = this.venue) {
    const choice = 'SettlementFactory_SettleBatch';
    return this.submitExercise(
      actor,
      `${ALLOCATION}:SettlementFactory`,
      factoryId,
      choice,
      given,
      context,
    );
  }

  allocationContext(step: 'cancel' | 'withdraw', id: ContractId, body: Json = {}): Promise<Answer> {
    return this.post(`/registry/allocations/v2/${id}/choice-contexts/${step}`, body);
  }

  /** Cancels or withdraws with what the registry said. */
  async end(
    step: 'cancel' | 'withdraw',
    id: ContractId,
    actor: Party,
    actors = [actor],
  ): Promise<Answer> {
    const choice = `Allocation_${step === 'cancel' ? 'Cancel' : 'Withdraw'}`;
    const { body } = await this.allocationContext(step, id);
    const given = { actors, extraArgs: EMPTY_ARGS };
    return this.submitExercise(actor, `${ALLOCATION}:Allocation`, id, choice, given, body);
  }

  /** The total and the locked amount of each instrument. */
  holdings(party: Party): Record<string, string> {
    const total: Record<string, string> = {};
    const templates = ['canticle-test-token:Canticle.TestToken:Token'];
    for (const { contract } of this.participant.activeContracts.now([{ party, templates }])) {
      const { owner, instrumentId, amount, lock } = contract.payload as any;
      if (owner !== party) continue;
      const key = `${instrumentId.id}${lock === null ? '' : ' locked'}`;
      total[key] = amount.add(total[key] ?? '0.0').toString();
    }
    return total;
  }
}

/** The result of a choice in a transaction of the Ledger API. */
export function resultOf({ body }: Answer, choice: string): any {
  for (const { ExercisedEvent } of body.transaction?.events ?? [])
    if (ExercisedEvent?.choice === choice) return ExercisedEvent.exerciseResult;
  throw new Error(`${choice} is not in ${JSON.stringify(body)}`);
}

export const failure = (text: string, errorId?: string) => ({
  body: {
    code: 'DAML_FAILURE',
    cause: expect.stringContaining(text) as string,
    ...(errorId === undefined
      ? {}
      : { context: expect.objectContaining({ error_id: errorId }) as object }),
  },
});
