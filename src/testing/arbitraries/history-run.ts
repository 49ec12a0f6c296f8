/** A generated history, and its run on an instance. */
import type { Canticle } from '../../assembly/canticle.js';
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { ReassignmentId } from '../../network/model/ids.js';
import type { ParticipantView } from '../../wallet/participant-view.js';

/** Numbers select a participant, a contract or a reassignment, modulo their count. */
export type HistoryStep =
  | {
      readonly kind: 'create';
      readonly participant: number;
      readonly template: string;
      readonly payload: unknown;
      readonly actAs: readonly string[];
    }
  | {
      readonly kind: 'exercise';
      readonly participant: number;
      readonly template: string;
      readonly contract: number;
      readonly choice: string;
      readonly argument: unknown;
      readonly actAs: readonly string[];
    }
  | { readonly kind: 'unassign'; readonly contract: number; readonly to: number }
  | { readonly kind: 'assign'; readonly reassignment: number }
  | { readonly kind: 'advanceTime'; readonly microseconds: bigint };

/** The outcome of a step. */
export interface StepOutcome {
  /** The generated step. */
  readonly step: HistoryStep;
  /** The error code, if the ledger rejected it. */
  readonly outcome: 'accepted' | ErrorCode;
}

/** The outcome of a history on a ledger. */
export interface HistoryRun {
  /** One for each step. */
  readonly outcomes: readonly StepOutcome[];
  /** Ids by the hints of the history. */
  readonly parties: ReadonlyMap<string, Party>;
  /** Everything that was created, in order, archived or not. */
  readonly contracts: readonly ContractId[];
}

/** A placeholder in a payload, for a party before its allocation and for a contract before its creation. */
export const partyMark = (hint: string): string => `{{party ${hint}}}`;
export const contractMark = (place: number): string => `{{contract ${place}}}`;

const MARK = /^\{\{(party|contract) (.*)\}\}$/;
/** A placeholder for a reference to a contract when none exists. */
const NO_CONTRACT = `00${'00'.repeat(32)}ca121220${'00'.repeat(32)}`;
const NO_REASSIGNMENT = `001220${'00'.repeat(32)}`;

/** Steps of a ledger, with the parties that act in them. */
export class LedgerHistory {
  constructor(
    /** Hints of the parties. */
    readonly parties: readonly string[],
    /** In order. */
    readonly steps: readonly HistoryStep[],
  ) {}

  /** Allocates the parties and takes each step. A rejected step has no effect. Any other error is thrown. */
  run(canticle: Canticle): HistoryRun {
    return new Runner(canticle, this.parties).run(this.steps);
  }

  /** The text of fast-check's counterexample: one line for each step. */
  toString(): string {
    const lines = this.steps.map((step) =>
      JSON.stringify(step, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    );
    return `history of ${this.parties.join(', ')}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}

class Runner {
  private readonly parties: ReadonlyMap<string, Party>;
  private readonly contracts: ContractId[] = [];
  private readonly templates = new Map<ContractId, string>();
  private readonly reassignments: ReassignmentId[] = [];

  constructor(
    private readonly canticle: Canticle,
    hints: readonly string[],
  ) {
    const { participants } = canticle;
    this.parties = new Map(
      hints.map((hint, index) => [hint, at(participants, index)!.allocateParty(hint)]),
    );
  }

  run(steps: readonly HistoryStep[]): HistoryRun {
    const outcomes = steps.map((step): StepOutcome => ({ step, outcome: this.outcomeOf(step) }));
    return { outcomes, parties: this.parties, contracts: this.contracts };
  }

  private outcomeOf(step: HistoryStep): StepOutcome['outcome'] {
    try {
      this.take(step);
      return 'accepted';
    } catch (error) {
      if (error instanceof LedgerError) return error.code;
      throw error;
    }
  }

  private take(step: HistoryStep): void {
    switch (step.kind) {
      case 'create': {
        const payload = this.filled(step.payload);
        const participant = this.choose(this.hostOfFirstIn(payload), step.participant);
        const options = { actAs: this.actors(participant, step.actAs) };
        this.created(participant.create(step.template, payload, options), step.template);
        return;
      }
      case 'exercise':
        this.exercise(step);
        return;
      case 'unassign': {
        const { network, participants } = this.canticle;
        const contractId = at(this.contracts, step.contract) ?? NO_CONTRACT;
        const to = at(network.synchronizers, step.to)!.alias;
        this.reassignments.push(
          this.holderOf(contractId, participants).unassign(contractId, { to }),
        );
        return;
      }
      case 'assign': {
        const reassignmentId = at(this.reassignments, step.reassignment) ?? NO_REASSIGNMENT;
        const moved = this.canticle.network.contracts.reassignment(reassignmentId);
        const contractId = moved?.unassigned.events[0]?.contract.contractId ?? NO_CONTRACT;
        this.holderOf(contractId, this.canticle.participants).assign(reassignmentId);
        return;
      }
      case 'advanceTime':
        this.canticle.advanceTime(step.microseconds);
    }
  }

  private exercise(step: Extract<HistoryStep, { kind: 'exercise' }>): void {
    const { template, choice } = step;
    const ofTemplate = this.contracts.filter((id) => this.templates.get(id) === template);
    const { contracts } = this.canticle.network;
    const active = ofTemplate.filter((id) => contracts.state(id)?.kind === 'active');
    const contractId = at([...mostly(active), ...ofTemplate], step.contract) ?? NO_CONTRACT;
    const holder = this.holderOf(contractId, this.canticle.participants);
    const participant = this.choose(holder, step.participant);
    const options = { actAs: this.actors(participant, step.actAs) };
    const { created } = participant.exercise(
      template,
      contractId,
      choice,
      this.filled(step.argument),
      options,
    );
    for (const contract of created)
      if (contract.templateId.endsWith(template.slice(template.indexOf(':'))))
        this.created(contract.contractId, template);
  }

  private created(contractId: ContractId, template: string): void {
    this.contracts.push(contractId);
    this.templates.set(contractId, template);
  }

  /** The parties that the participant can act for. */
  private actors({ engine }: ParticipantView, hints: readonly string[]): Party[] {
    return hints.map((hint) => this.parties.get(hint)!).filter((party) => engine.hosts(party));
  }

  /** Usually returns the likely participant, because the ledger rejects a command on another one. */
  private choose(likely: ParticipantView, place: number): ParticipantView {
    return at([...mostly([likely]), ...this.canticle.participants], place)!;
  }

  /** The first party in a payload. */
  private hostOfFirstIn(payload: unknown): ParticipantView {
    const { participants } = this.canticle;
    const text = JSON.stringify(payload) ?? '';
    const named = [...this.parties.values()].filter((party) => text.includes(party));
    const [first] = named.sort((one, other) => text.indexOf(one) - text.indexOf(other));
    const host = participants.find(({ engine }) => first !== undefined && engine.hosts(first));
    return host ?? participants[0]!;
  }

  private holderOf(
    contractId: ContractId,
    participants: readonly ParticipantView[],
  ): ParticipantView {
    return (
      participants.find(({ engine }) => this.hostsStakeholder(engine, contractId)) ??
      participants[0]!
    );
  }

  private hostsStakeholder(engine: ParticipantView['engine'], contractId: ContractId): boolean {
    const { instance } = this.canticle.network.contracts.get(contractId) ?? {};
    return [...(instance?.signatories ?? []), ...(instance?.observers ?? [])].some((party) =>
      engine.hosts(party),
    );
  }

  /** Replaces the placeholders by the ids of this run. */
  private filled(json: unknown): unknown {
    if (typeof json === 'string') return this.idFor(json);
    if (Array.isArray(json)) return json.map((item) => this.filled(item));
    if (typeof json !== 'object' || json === null) return json;
    return Object.fromEntries(
      Object.entries(json).map(([key, value]) => [key, this.filled(value)]),
    );
  }

  private idFor(text: string): string {
    const [, kind, name = ''] = MARK.exec(text) ?? [];
    if (kind === 'party') return this.parties.get(name) ?? text;
    return kind === 'contract' ? (at(this.contracts, Number(name)) ?? NO_CONTRACT) : text;
  }
}

/** Repeats the items in a list, so that most choices of the list select them. */
const mostly = <T>(items: readonly T[]): readonly T[] => [...items, ...items, ...items, ...items];

/** The element at a place, modulo the length; undefined if the list is empty. */
function at<T>(items: readonly T[], place: number): T | undefined {
  return items.length === 0 ? undefined : items[place % items.length];
}
