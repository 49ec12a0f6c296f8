/**
 * Writes one entity of a module as TypeScript: its type and, for a template or interface, the object that names it
 * to a participant.
 */
import type { Choice } from '../daml/model/package.js';
import { splitTypeId, type DataType, type Field, type TypeId } from '../daml/model/types.js';
import type { Documentation } from './documentation.js';
import { memberName, Scope } from './names.js';
import { templateIdOf, type Entity, type Packages } from './selection.js';
import { isPlainOptional, NO_PARAMS, typeText, type ModuleView, type Params } from './type-text.js';

/** The context in which a definition is written. */
export interface Writing {
  readonly view: ModuleView;
  readonly scope: Scope;
  readonly packages: Packages;
  readonly docs: Documentation;
}

/** The members of templates and interfaces other than choices. */
const OWN_MEMBERS = ['templateId'];

export function definitionText(entity: Entity, name: string, writing: Writing): string {
  if (entity.interface !== undefined) return interfaceText(entity, name, writing);
  const type = dataText(entity, name, writing);
  return entity.template === undefined ? type : `${type}\n\n${templateText(entity, name, writing)}`;
}

/** A comment, or an empty text. */
export function docText(text: string | undefined, indent = ''): string {
  if (text === undefined) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`/**`, ...lines.map((line) => ` * ${line}`.trimEnd()), ` */`, '']
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}

function paramsOf({ params, body }: DataType, scope: Scope): Params {
  const used = new Set(JSON.stringify(body).match(/"kind":"var","name":"[^"]*"/g));
  const own = new Scope(scope);
  return new Map(
    params.map((param) => {
      const isUsed = used.has(`"kind":"var","name":"${param}"`);
      // Compilers that report unused parameters ignore parameters with a leading underscore.
      return [param, own.name(isUsed ? param : `_${param}`)];
    }),
  );
}

function dataText({ id, type, template }: Entity, name: string, writing: Writing): string {
  const { view, docs } = writing;
  const { entity } = splitTypeId(id);
  const params = paramsOf(type, writing.scope);
  const head = params.size === 0 ? name : `${name}<${[...params.values()].join(', ')}>`;
  const doc = docText(docs.get(entity));
  const { body } = type;
  const marks = implementedText([...(template?.implementations.keys() ?? [])], writing);
  switch (body.kind) {
    case 'enum': {
      const cases = body.constructors.map((each) => `'${each}'`);
      const members = body.constructors.map((each) => `  ${keyText(each)}: '${each}',\n`);
      return `${doc}export type ${name} = ${cases.join(' | ')};\n\n${doc}export const ${name} = {\n${members.join('')}} as const;`;
    }
    case 'variant': {
      const cases = body.constructors.map(
        (each) =>
          `${docText(docs.get(`${entity}.${each.name}`), '  ')}  | { readonly tag: '${each.name}'; readonly value: ${typeText(each.type, view, params)} }`,
      );
      return `${doc}export type ${head} =\n${cases.join('\n')};`;
    }
    case 'record': {
      if (body.fields.length === 0)
        return `${doc}export type ${head} = ${[`${view.daml}.Unit`, ...marks].join(' & ')};`;
      const fields = body.fields.map((field) => fieldText(field, entity, params, writing));
      // The argument of a type parameter decides whether a field of that type is optional.
      if (body.fields.some((field) => field.type.kind === 'var'))
        return `${doc}export type ${head} = ${view.daml}.Fields<{\n${fields.join('')}}>;`;
      const above = marks.length === 0 ? '' : ` extends ${marks.join(', ')}`;
      return `${doc}export interface ${head}${above} {\n${fields.join('')}}`;
    }
    case 'interface':
      return '';
  }
}

function fieldText(
  { name, type }: Field,
  entity: string,
  params: Params,
  { view, docs }: Writing,
): string {
  const mark = isPlainOptional(type) ? '?' : '';
  return `${docText(docs.get(`${entity}.${name}`), '  ')}  readonly ${name}${mark}: ${typeText(type, view, params)};\n`;
}

function implementedText(ids: readonly TypeId[], { view, packages }: Writing): string[] {
  const names = ids.map((id) => `'${templateIdOf(packages, id)}'`).sort();
  return names.length === 0 ? [] : [`${view.daml}.Implements<${names.join(' | ')}>`];
}

function templateText({ id, template }: Entity, name: string, writing: Writing): string {
  const { view, docs } = writing;
  const { choices, key } = template!;
  const keyType = key && typeText(key.type, view);
  const own = [...choices.values()].filter((choice) => choice.name !== 'Archive');
  const members = own.map((choice) => choiceText(choice, name, keyType, writing));
  const args = [name, membersText(members), ...(keyType === undefined ? [] : [keyType])];
  const doc = docText(docs.get(splitTypeId(id).entity));
  return `${doc}export const ${name}: ${view.daml}.Template<${args.join(', ')}> = ${companionText(id, name, own, writing)};`;
}

function interfaceText(
  { id, interface: definition }: Entity,
  name: string,
  writing: Writing,
): string {
  const { view, docs } = writing;
  const { choices, viewType, requires } = definition!;
  const own = [...choices.values()].filter((choice) => choice.name !== 'Archive');
  const members = own.map((choice) => choiceText(choice, name, undefined, writing));
  const args = [name, typeText(viewType, view, NO_PARAMS), membersText(members)];
  const doc = docText(docs.get(splitTypeId(id).entity));
  const marks = implementedText([id, ...requires], writing);
  return [
    `${doc}export type ${name} = ${marks.join(' & ')};`,
    `${doc}export const ${name}: ${view.daml}.Interface<${args.join(', ')}> = ${companionText(id, name, own, writing)};`,
  ].join('\n\n');
}

const membersText = (members: readonly string[]): string =>
  members.length === 0 ? 'unknown' : `{\n${members.join('')}}`;

function choiceText(
  { name, consuming, argumentType, returnType }: Choice,
  owner: string,
  key: string | undefined,
  { view, docs }: Writing,
): string {
  const types = [owner, typeText(argumentType, view), typeText(returnType, view)];
  const args = [...types, ...(key === undefined ? [] : [key])].join(', ');
  const doc = [docs.get(name), ...(consuming ? [] : ['Leaves the contract active.'])]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const member = memberName(name, OWN_MEMBERS);
  return `${docText(doc === '' ? undefined : doc, '  ')}  readonly ${member}: ${view.daml}.Choice<${args}>;\n`;
}

function companionText(
  id: TypeId,
  name: string,
  choices: readonly Choice[],
  { packages }: Writing,
): string {
  const entries = [...choices.map((choice) => choice.name), 'Archive'].map(
    (choice) =>
      `  ${keyText(memberName(choice, OWN_MEMBERS))}: { choiceName: '${choice}', template: () => ${name} },\n`,
  );
  return `{\n  templateId: '${templateIdOf(packages, id)}',\n${entries.join('')}}`;
}

/** A name in an object literal, in which plain `__proto__` sets the prototype. */
const keyText = (name: string): string => (name === '__proto__' ? `['__proto__']` : name);
