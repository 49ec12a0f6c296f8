/** The parts of templates that decide about parties, and their code in the archive. */
import { LfCode, type LfExpression } from '../../daml/archive/code/expression.js';
import { lf2 } from '../../daml/archive/lf-messages.js';
import type { CompiledDefinition } from '../../daml/lf/lowering/instrument.js';
import { typeId, type TypeId } from '../../daml/model/types.js';
import { hasParties, partyPaths, type Path } from './party-paths.js';

export interface TemplatePart {
  readonly kind: 'signatories' | 'observers' | 'controllers' | 'choice observers' | 'ensure';
  readonly template: TypeId;
  readonly expression: LfExpression;
  /** The variables of the contract and, in a choice, of its argument. */
  readonly roots: readonly string[];
  /** The fields of the contract that have parties. */
  readonly parties: readonly Path[];
  /** The fields that its signatories are in. A signatory sees the contract in any case. */
  readonly signing: readonly Path[];
}

/** Undefined if the definition is another part of a template, or no part. */
export function templatePart(definition: CompiledDefinition): TemplatePart | undefined {
  const { lf, module, name, isValue } = definition;
  if (isValue) return undefined;
  const [owner = '', part = '', choicePart] = name.split(' ');
  const template = lf.modules.get(module)?.templates.get(owner);
  if (template === undefined) return undefined;
  const { message, choices } = template;
  const self = lf.tables.string(message.param);
  const id = typeId(lf.id, `${module}:${owner}`);
  const made = (
    kind: TemplatePart['kind'],
    bytes: Uint8Array | undefined,
    roots: readonly string[],
  ): TemplatePart | undefined =>
    bytes && {
      kind,
      template: id,
      expression: new LfCode(lf).expression(bytes),
      roots,
      parties: partyFields(definition, id, self),
      signing: signing(),
    };
  function signing(): readonly Path[] {
    const bytes = message.signatories;
    return bytes ? partyPaths(definition, new LfCode(lf).expression(bytes), [self]) : [];
  }
  if (choicePart === undefined) {
    if (part === 'precondition') return made('ensure', message.precondition, [self]);
    return part === 'signatories' || part === 'observers'
      ? made(part, message[part], [self])
      : undefined;
  }
  const choice = choices.get(part);
  if (choice === undefined || part === 'Archive') return undefined;
  const argument = choice.message.argument ?? new Uint8Array();
  const roots = [self, lf.tables.string(lf2.decode('VarWithType', argument).variable)];
  if (choicePart === 'controllers') return made('controllers', choice.message.controllers, roots);
  return choicePart === 'observers'
    ? made('choice observers', choice.message.observers, roots)
    : undefined;
}

function partyFields({ world }: CompiledDefinition, id: TypeId, root: string): readonly Path[] {
  const { body } = world.dataType(id, '');
  if (body.kind !== 'record') return [];
  return body.fields
    .filter(([, type]) => hasParties(world.expand(type)))
    .map(([name]) => ({ root, fields: [{ record: id, name }] }));
}
