/** Writes commands of scripts as JSON, and reads the events of a transaction from JSON. */
import type { Json } from '../../client/requests.js';
import { commandMessage } from '../../daml/codec/json/command-message.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import {
  packageIdOf,
  qualifiedNameOf,
  type DamlType,
  type TypeId,
} from '../../daml/model/types.js';
import type { DamlRecord } from '../../daml/model/values.js';
import { intended, shownTemplate, shownValue, type EventPlace } from '../events.js';
import type { ScriptCommand, ScriptEvent, ScriptKey } from '../ledger.js';
import { choiceOf } from '../values.js';
import { JSON_VALUES, type RemoteValues } from './remote-api.js';

/** `#package-name:Module:Entity`. */
export function byName(packages: PackageLookup, id: TypeId): string {
  const name = packages.package(packageIdOf(id))?.name;
  return name === undefined ? id : `#${name}:${qualifiedNameOf(id)}`;
}

export function commandJson(
  packages: PackageLookup,
  values: RemoteValues,
  { command, isExact }: ScriptCommand,
): object {
  const { templateId: id } = command;
  const writer = { value: values.write, record: values.record };
  return commandMessage(packages, writer, command, isExact ? id : byName(packages, id));
}

/** A key to prefetch. The JSON Ledger API does not accept a package name there. */
export function keyJson(
  packages: PackageLookup,
  values: RemoteValues,
  { templateId: id, value }: ScriptKey,
): object {
  const contractKey = values.write(packages, templateOf(packages, id)!.key!.type, value);
  return { templateId: values === JSON_VALUES ? id : byName(packages, id), contractKey };
}

interface Parsed {
  readonly node: number;
  readonly last: number;
  readonly created?: Json;
  readonly exercised?: Json;
}

/** The events of a transaction in the ledger effects shape. Events of the commands have the `wanted` packages. */
export function remoteEvents(
  packages: PackageLookup,
  values: RemoteValues,
  events: readonly Json[],
  commands: readonly ScriptCommand[],
): readonly ScriptEvent[] {
  const all = events.map((event): Parsed => {
    const created = event['CreatedEvent'] as Json | undefined;
    const exercised = event['ExercisedEvent'] as Json | undefined;
    const node = Number((created ?? exercised ?? {})['nodeId']);
    const last = exercised === undefined ? node : Number(exercised['lastDescendantNodeId']);
    return { node, last, ...(created && { created }), ...(exercised && { exercised }) };
  });
  const wanted = intended(packages, commands);
  let place = 0;
  const upTo = (last: number, isRoot: boolean): readonly ScriptEvent[] => {
    const found: ScriptEvent[] = [];
    while (place < all.length && all[place]!.node <= last) {
      const each = all[place++]!;
      const at = { isRoot, wanted: isRoot ? wanted[found.length] : undefined };
      const children = upTo(each.last, false);
      found.push(eventOf(packages, values, each, at, children));
    }
    return found;
  };
  return upTo(Infinity, true);
}

function eventOf(
  packages: PackageLookup,
  values: RemoteValues,
  { created, exercised }: Parsed,
  place: EventPlace,
  children: readonly ScriptEvent[],
): ScriptEvent {
  const json = (created ?? exercised)!;
  const own = String(json['templateId']);
  const contractId = String(json['contractId']);
  const approximate = shownTemplate(packages, own, String(json['packageName']), place);
  const id = approximate ?? own;
  const given = (type: DamlType, value: unknown) =>
    shownValue(() => values.read(packages, type, value));
  if (created !== undefined) {
    const type =
      approximate === undefined ? undefined : templateOf(packages, approximate)?.payloadType;
    const payload = type && (given(type, created['createArgument']) as DamlRecord);
    const templateId = payload === undefined ? own : id;
    return { kind: 'created', templateId, contractId, payload };
  }
  const interfaceId = (json['interfaceId'] as string | null | undefined) || undefined;
  const choice = String(json['choice']);
  const types = choiceOf(packages, id, interfaceId, choice);
  const argument = types && given(types.argumentType, json['choiceArgument']);
  return {
    kind: 'exercised',
    templateId: argument === undefined ? own : id,
    interfaceId,
    contractId,
    choice,
    argument,
    result:
      types && place.isRoot
        ? values.read(packages, types.returnType, json['exerciseResult'])
        : undefined,
    children,
  };
}

/** @param id a template of the script */
export function payloadOf(
  packages: PackageLookup,
  values: RemoteValues,
  id: TypeId,
  created: Json,
): DamlRecord {
  const type = templateOf(packages, id)!.payloadType;
  return values.read(packages, type, created['createArgument']) as DamlRecord;
}
