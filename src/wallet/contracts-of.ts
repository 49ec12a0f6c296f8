/** Contracts as those of a template, or of an interface that they implement, which shows its view of each. */
import { encodeValue } from '../daml/codec/json/codec.js';
import { interfaceView } from '../daml/interpreter/interface-view.js';
import {
  interfaceDefinition,
  packagesFor,
  resolveTypeId,
  template as templateOf,
} from '../daml/model/package.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from '../daml/model/types.js';
import type { Party } from '../daml/model/values.js';
import { templateNameOf } from '../network/ledger/active-contracts.js';
import type { Participant } from '../network/participant.js';
import { activeContract, type ActiveContract, type Placed } from './active-contract.js';
import { decodedContract, idOf, type TemplateName } from './typed.js';

/** Active ones, in order of activation. @param template all where absent */
export function contractsOf(
  engine: Participant,
  template: TemplateName | undefined,
  party: Party | undefined,
): ActiveContract[] {
  const isTemplate = template !== undefined && interfaceNamed(engine, template) === undefined;
  const templates = isTemplate ? [nameOf(engine, idOf(template))] : undefined;
  const found = [...engine.activeContracts.now([{ party, templates }])];
  return template === undefined
    ? found.map((stay) => activeContract(engine, stay))
    : seenAs(engine, template, found);
}

/** Those of them that are the template's, or that implement the interface. */
export function seenAs(
  engine: Participant,
  template: TemplateName,
  contracts: readonly Placed[],
): ActiveContract[] {
  const interfaceId = interfaceNamed(engine, template);
  if (interfaceId !== undefined)
    return contracts.flatMap((placed) => {
      const view = viewOf(engine, interfaceId, placed);
      return view === undefined
        ? []
        : decodedContract(template, activeContract(engine, placed), view);
    });
  const name = nameOf(engine, idOf(template));
  return contracts
    .filter(({ contract }) => templateNameOf(contract) === name)
    .map((placed) => decodedContract(template, activeContract(engine, placed)));
}

function interfaceNamed(engine: Participant, template: TemplateName): TypeId | undefined {
  const id = resolveTypeId(engine.packagesFor(), idOf(template));
  return id !== undefined && interfaceDefinition(engine.packages, id) ? id : undefined;
}

/** The name of a template in read filters: `package-name:Module:Entity`, for all versions. */
function nameOf({ packages }: Participant, id: string): string {
  if (id.startsWith('#')) return id.slice(1);
  const name = packages.package(packageIdOf(id))?.name;
  return name === undefined ? id : `${name}:${qualifiedNameOf(id)}`;
}

/** @returns undefined where the contract's template does not implement the interface */
function viewOf(
  engine: Participant,
  interfaceId: TypeId,
  { contract }: Placed,
): { readonly json: unknown } | undefined {
  const packages = packagesFor(engine.packages, contract.templateId);
  const { implementations } = templateOf(packages, contract.templateId)!;
  if (!implementations.has(interfaceId)) return undefined;
  const { viewType } = interfaceDefinition(packages, interfaceId)!;
  const view = interfaceView(packages, interfaceId, contract);
  return { json: encodeValue(packages, viewType, view) };
}
