/**
 * A wallet that uses only the APIs: it queries the registry, passes on the disclosed contracts, and reads the
 * results.
 */
import type { AmuletWorld } from './amulet-world.js';
import type { Refusal } from '../daml/lf-probe.js';

export const TOKEN = {
  factory:
    '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory',
  instruction:
    '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction',
  allocations:
    '#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory',
  allocation: '#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation',
};

export interface TreeEvent {
  readonly kind: 'created' | 'exercised';
  readonly nodeId: number;
  /** The template's name alone. */
  readonly template: string;
  readonly choice?: string;
  readonly contractId: string;
  readonly interfaceId?: string;
  readonly consuming?: boolean;
  readonly actingParties?: readonly string[];
  readonly lastDescendantNodeId?: number;
}

/** The result, or the error. */
export interface Done extends Partial<Refusal> {
  /** The result of the exercise, as Ledger API JSON. */
  readonly result: any;
  readonly events: readonly TreeEvent[];
}

export interface Context {
  choiceContextData: { values: Record<string, unknown> };
  disclosedContracts: unknown[];
}

const NO_META = { values: {} };
const NOTHING = { result: undefined, events: [] };

export class AmuletClient {
  private commands = 0;

  constructor(private readonly world: AmuletWorld) {}

  async post(path: string, body: unknown): Promise<{ status: number; body: any }> {
    const answer = await this.world.canticle.handle({ path, body });
    return { status: answer.status, body: answer.json() };
  }

  /** Exercises as these parties, which see only their own contracts and the disclosed ones. */
  async exercise(
    templateId: string,
    contractId: string,
    choice: string,
    choiceArgument: unknown,
    actAs: readonly string[],
    disclosedContracts: readonly unknown[] = [],
  ): Promise<Done> {
    const filters = Object.fromEntries(actAs.map((party) => [party, {}]));
    const { status, body } = await this.post('/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        commandId: `wallet-${++this.commands}`,
        userId: 'wallet',
        actAs,
        commands: [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }],
        disclosedContracts,
      },
      transactionFormat: {
        eventFormat: { filtersByParty: filters, verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    });
    if (status !== 200)
      return { ...NOTHING, refused: body.code, cause: body.cause, context: body.context };
    const events = (body.transaction.events as any[]).map(eventOf);
    const result = body.transaction.events[0].ExercisedEvent.exerciseResult;
    return { result, events };
  }

  /** The `Transfer` of the token standard, which expires after an hour. */
  transferSpec(sender: string, receiver: string, amount: string, inputs: readonly string[]) {
    const now = this.world.canticle.network.clock.now();
    return {
      sender,
      receiver,
      amount,
      instrumentId: { admin: this.world.dso, id: 'Amulet' },
      requestedAt: instant(now - 1n),
      executeBefore: instant(now + 3_600_000_000n),
      inputHoldingCids: inputs,
      meta: { values: { 'splice.lfdecentralizedtrust.org/reason': 'rent' } },
    };
  }

  /** Uses the factory from the registry. `change` may modify the registry's answer. */
  async transfer(
    transfer: ReturnType<AmuletClient['transferSpec']>,
    { change = (_: Context) => {}, actAs = [transfer.sender], expectedAdmin = this.world.dso } = {},
  ) {
    const args = { expectedAdmin, transfer, extraArgs: { context: { values: {} }, meta: NO_META } };
    const { body } = await this.post('/registry/transfer-instruction/v1/transfer-factory', {
      choiceArguments: args,
      excludeDebugFields: true,
    });
    const { factoryId, choiceContext, transferKind } = body;
    change(choiceContext);
    const extraArgs = { context: choiceContext.choiceContextData, meta: NO_META };
    const argument = { ...args, extraArgs };
    const { disclosedContracts } = choiceContext;
    const done = await this.exercise(
      TOKEN.factory,
      factoryId,
      'TransferFactory_Transfer',
      argument,
      actAs,
      disclosedContracts,
    );
    return { ...done, transferKind };
  }

  async instruction(
    step: 'accept' | 'reject' | 'withdraw',
    id: string,
    actor: string,
    change = (_: Context) => {},
  ) {
    const path = `/registry/transfer-instruction/v1/${id}/choice-contexts/${step}`;
    const { status, body } = await this.post(path, {});
    if (status !== 200) return { ...NOTHING, refused: String(status), cause: body.error };
    change(body);
    const extraArgs = { context: body.choiceContextData, meta: NO_META };
    const choice = `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`;
    const { disclosedContracts } = body;
    return this.exercise(TOKEN.instruction, id, choice, { extraArgs }, [actor], disclosedContracts);
  }

  async allocate(allocation: any, inputHoldingCids: readonly string[], more: object = {}) {
    const now = this.world.canticle.network.clock.now();
    const { body } = await this.post('/registry/allocation-instruction/v1/allocation-factory', {
      choiceArguments: {},
    });
    const { factoryId, choiceContext } = body;
    const argument = {
      expectedAdmin: this.world.dso,
      allocation,
      requestedAt: instant(now - 1n),
      inputHoldingCids,
      extraArgs: { context: choiceContext.choiceContextData, meta: NO_META },
      ...more,
    };
    const { sender } = allocation.transferLeg;
    return this.exercise(
      TOKEN.allocations,
      factoryId,
      'AllocationFactory_Allocate',
      argument,
      [sender],
      choiceContext.disclosedContracts,
    );
  }

  async allocation(
    step: 'execute-transfer' | 'withdraw' | 'cancel',
    id: string,
    actAs: string[],
    meta: object = NO_META,
  ) {
    const { status, body } = await this.post(
      `/registry/allocations/v1/${id}/choice-contexts/${step}`,
      {},
    );
    if (status !== 200) return { ...NOTHING, refused: String(status), cause: body.error };
    const choice = {
      'execute-transfer': 'Allocation_ExecuteTransfer',
      withdraw: 'Allocation_Withdraw',
      cancel: 'Allocation_Cancel',
    }[step];
    const extraArgs = { context: body.choiceContextData, meta };
    return this.exercise(
      TOKEN.allocation,
      id,
      choice,
      { extraArgs },
      actAs,
      body.disclosedContracts,
    );
  }

  /** The holdings of a party, from the interface's views: the amount, and whether it is locked. */
  async holdings(
    party: string,
  ): Promise<{ amount: string; lock: any; contractId: string; meta: any }[]> {
    const interfaceId = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
    const InterfaceFilter = { value: { interfaceId, includeInterfaceView: true } };
    const cumulative = [{ identifierFilter: { InterfaceFilter } }];
    const { body } = await this.post('/v2/state/active-contracts', {
      activeAtOffset: this.world.canticle.participant.ledgerEnd,
      eventFormat: { filtersByParty: { [party]: { cumulative } }, verbose: false },
    });
    return body
      .map(({ contractEntry }: any) => contractEntry.JsActiveContract.createdEvent)
      .filter(({ interfaceViews }: any) => interfaceViews[0].viewValue.owner === party)
      .map(({ contractId, interfaceViews }: any) => {
        const { amount, lock, meta } = interfaceViews[0].viewValue;
        return { contractId, amount, lock, meta };
      });
  }

  async amounts(party: string): Promise<string[]> {
    return (await this.holdings(party)).map(({ amount }) => amount);
  }
}

export function instant(micros: bigint): string {
  const millis = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${millis}${String(micros % 1000n).padStart(3, '0')}Z`;
}

function eventOf(event: any): TreeEvent {
  const { CreatedEvent: created, ExercisedEvent: exercised } = event;
  const { nodeId, contractId, templateId, ...rest } = created ?? exercised;
  const template = templateId.split(':')[2];
  if (created) return { kind: 'created', nodeId, contractId, template };
  const { choice, interfaceId, consuming, actingParties, lastDescendantNodeId } = rest;
  return {
    kind: 'exercised',
    nodeId,
    contractId,
    template,
    choice,
    interfaceId: interfaceId?.split(':')[2],
    consuming,
    actingParties,
    lastDescendantNodeId,
  };
}
