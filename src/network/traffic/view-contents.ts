/**
 * The content of a view for its recipients: its action, the contracts that it uses and creates, and the keys that it
 * resolves.
 */
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { encodeValueProto, encodeVersionedValue } from '../../daml/codec/protobuf/value.js';
import { invariant } from '../../daml/errors/ledger-error.js';
import { fromHex } from '../../daml/model/hash.js';
import {
  interfaceDefinition,
  packagesFor,
  template,
  type PackageLookup,
} from '../../daml/model/package.js';
import { packageIdOf } from '../../daml/model/types.js';
import type {
  Action,
  ContractInstance,
  ExerciseNode,
  QueryByKeyNode,
} from '../../daml/model/transaction.js';
import type { ContractId } from '../../daml/model/values.js';
import { SERIALIZATION_VERSION } from '../../daml/codec/protobuf/fields.js';
import { bytes, integer, join, message, raw, string, strings, type Part } from './message-bytes.js';
import type { Noise } from './noise.js';
import { withSubviews, type View } from './views.js';

const HASH = 32;

/** @param instanceOf returns contracts that the view uses and that existed before */
export function viewContents(view: View, packages: PackageLookup, noise: Noise): Part {
  const created = view.core.flatMap((each) => (each.kind === 'create' ? [each.contract] : []));
  const consumed = new Set(view.core.flatMap(consumedBy));
  const below = new Set(
    view.subviews.flatMap((each) => [...withSubviews(each)]).flatMap(createdIn),
  );
  const own = new Set([...below, ...created.map(({ contractId }) => contractId)]);
  const inputs = new Map<ContractId, ContractInstance>();
  for (const each of view.core)
    if (each.kind === 'exercise' || each.kind === 'fetch')
      if (!own.has(each.contract.contractId)) inputs.set(each.contract.contractId, each.contract);
  const whole = (contract: ContractInstance): Part =>
    join(
      bytes(1, createdEventBytes(packages, contract)),
      integer(2, consumed.has(contract.contractId) ? 1 : 0),
    );
  return join(
    noise.salt(),
    ...[...inputs.values()].map((contract) => message(2, whole(contract))),
    ...created.map((contract) => message(3, whole(contract))),
    strings(
      4,
      [...consumed].filter((id) => below.has(id)),
    ),
    ...keysOf(view).map((key) => message(5, resolvedKey(key, packages))),
    message(6, action(view, packages, noise)),
  );
}

const createdIn = ({ core }: View): readonly ContractId[] =>
  core.flatMap((each) => (each.kind === 'create' ? [each.contract.contractId] : []));

const consumedBy = (each: Action): readonly ContractId[] =>
  each.kind === 'exercise' && each.consuming ? [each.contract.contractId] : [];

const keysOf = ({ core }: View): readonly QueryByKeyNode[] =>
  core.filter((each) => each.kind === 'queryByKey');

function resolvedKey(node: QueryByKeyNode, packages: PackageLookup): Part {
  const { templateId, packageName, key, result } = node;
  const type = template(packagesFor(packages, templateId), templateId)?.key?.type;
  invariant(type !== undefined, 'the template of a key is known');
  const value = encodeVersionedValue(packagesFor(packages, templateId), type, key.value);
  return join(
    message(
      1,
      string(1, templateId),
      bytes(2, value),
      string(3, packageName),
      bytes(4, fromHex(key.hash)),
    ),
    strings(2, key.maintainers),
    strings(3, result),
  );
}

function action(view: View, packages: PackageLookup, noise: Noise): Part {
  const { action: head } = view;
  const seed = (): Part => raw(noise.bytes(HASH));
  switch (head.kind) {
    case 'create':
      return message(1, string(1, head.contract.contractId), message(2, seed()));
    case 'fetch':
      return message(
        3,
        string(1, head.contract.contractId),
        strings(2, head.actingParties),
        integer(3, head.byKey ? 1 : 0),
        string(4, head.templateId),
        string(5, head.interfaceId ?? ''),
      );
    case 'queryByKey':
      return message(4, message(1, string(1, head.templateId), string(3, head.packageName)));
    case 'exercise':
      return message(
        2,
        string(1, head.contract.contractId),
        string(2, head.choice),
        message(3, string(1, SERIALIZATION_VERSION), bytes(2, argument(head, packages))),
        strings(4, head.actingParties),
        integer(5, head.byKey ? 1 : 0),
        message(6, seed()),
        integer(8, head.aborted ? 1 : 0),
        string(9, head.interfaceId ?? ''),
        string(10, head.templateId),
        strings(11, preferredPackages(view)),
      );
  }
}

/** The packages of templates that the view's actions reach through an interface. */
function preferredPackages({ core }: View): Iterable<string> {
  return new Set(
    core.flatMap((each) =>
      (each.kind === 'exercise' || each.kind === 'fetch') && each.interfaceId !== undefined
        ? [packageIdOf(each.templateId)]
        : [],
    ),
  );
}

function argument(node: ExerciseNode, packages: PackageLookup): Uint8Array {
  const { interfaceId, templateId, choice, argument: value } = node;
  const choices =
    interfaceId === undefined
      ? template(packages, templateId)?.choices
      : interfaceDefinition(packages, interfaceId)?.choices;
  const type = choices?.get(choice)?.argumentType;
  invariant(type !== undefined, 'the choice of a node is known');
  return encodeValueProto(packages, type, value);
}
