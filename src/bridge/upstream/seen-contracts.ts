/** Contracts in the answers of a participant, by id: their templates, stakeholders, synchronizers and blobs. */
import { contractNotFound } from '../../daml/refusals/refusals.js';
import type { Json } from '../../client/requests.js';

export interface SeenContract {
  readonly contractId: string;
  /** `package-id:Module:Entity`. */
  readonly templateId: string;
  /** `#package-name:Module:Entity`. */
  readonly templateName: string;
  readonly payload: unknown;
  readonly key: unknown;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly synchronizerId: string;
  readonly reassignmentCounter: number;
  /** Base64; empty if the request did not include blobs. */
  readonly blob: string;
  /** The view of an interface that the request named. */
  readonly view?: { readonly json: unknown };
}

export interface Leaving {
  readonly reassignmentId: string;
  readonly source: string;
  readonly target: string;
  readonly submitter: string;
}

export class SeenContracts {
  private readonly byId = new Map<string, SeenContract>();
  private readonly moves = new Map<string, Leaving>();

  /** Learns from a transaction or an assignment. */
  see(events: readonly Json[], synchronizerId: string): void {
    for (const { CreatedEvent: created } of events)
      if (created !== undefined && created !== null) {
        const contract = contractOf(created as Json, synchronizerId);
        this.byId.set(contract.contractId, contract);
      }
  }

  leave(contractId: string, move: Leaving): void {
    this.moves.set(contractId, move);
    this.moves.set(move.reassignmentId, move);
  }

  get(contractId: string): SeenContract | undefined {
    return this.byId.get(contractId);
  }

  /** @throws LedgerError CONTRACT_NOT_FOUND if no answer contained it */
  known(contractId: string): SeenContract {
    const found = this.byId.get(contractId);
    if (found === undefined) throw contractNotFound(contractId);
    return found;
  }

  /** By the id of the contract, or of the reassignment. */
  move(id: string): Leaving | undefined {
    return this.moves.get(id);
  }

  disclosure(contractId: string): object {
    const { templateId, blob, synchronizerId } = this.known(contractId);
    return { templateId, contractId, createdEventBlob: blob, synchronizerId };
  }
}

function contractOf(created: Json, synchronizerId: string, reassignmentCounter = 0): SeenContract {
  const templateId = String(created['templateId']);
  const signatories = (created['signatories'] ?? []) as readonly string[];
  const [view] = (created['interfaceViews'] ?? []) as readonly Json[];
  return {
    contractId: String(created['contractId']),
    templateId,
    templateName: templateId.replace(/^[^:]*/, `#${String(created['packageName'])}`),
    payload: created['createArgument'],
    key: created['contractKey'],
    signatories: [...signatories].sort(),
    observers: [...((created['observers'] ?? []) as readonly string[])].sort(),
    synchronizerId,
    reassignmentCounter,
    blob: String(created['createdEventBlob'] ?? ''),
    ...(view?.['viewValue'] !== undefined && { view: { json: view['viewValue'] } }),
  };
}

/** Learns from a list of active contracts. */
export function contractsIn(entries: readonly Json[]): readonly SeenContract[] {
  return entries.flatMap(({ contractEntry }) => {
    const active = (contractEntry as Json | undefined)?.['JsActiveContract'] as Json | undefined;
    if (active === undefined) return [];
    const { createdEvent, synchronizerId, reassignmentCounter } = active;
    return [
      contractOf(createdEvent as Json, String(synchronizerId), Number(reassignmentCounter ?? 0)),
    ];
  });
}

/** The contracts that a transaction created and left active. */
export function leftActive(events: readonly Json[], synchronizerId: string): SeenContract[] {
  const consumed = new Set<unknown>();
  for (const { ExercisedEvent: event } of events)
    if ((event as Json | undefined)?.['consuming'] === true)
      consumed.add((event as Json)['contractId']);
  return events.flatMap(({ CreatedEvent: created }) =>
    created === undefined || consumed.has((created as Json)['contractId'])
      ? []
      : [contractOf(created as Json, synchronizerId)],
  );
}

const WILDCARD = { WildcardFilter: { value: { includeCreatedEventBlob: true } } };

/** @param parties undefined for any @param template by its name; also an interface */
export function eventFormatOf(
  parties: readonly string[] | undefined,
  template?: string,
  kind: 'TemplateFilter' | 'InterfaceFilter' = 'TemplateFilter',
): object {
  const of =
    kind === 'TemplateFilter'
      ? { templateId: template }
      : { interfaceId: template, includeInterfaceView: true };
  const value = { ...of, includeCreatedEventBlob: true };
  const identifierFilter = template === undefined ? WILDCARD : { [kind]: { value } };
  const cumulative = [{ identifierFilter }];
  return {
    filtersByParty: Object.fromEntries((parties ?? []).map((party) => [party, { cumulative }])),
    ...(parties === undefined && { filtersForAnyParty: { cumulative } }),
    verbose: true,
  };
}
