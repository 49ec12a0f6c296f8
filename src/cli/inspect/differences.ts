/** The differences between two versions of a package: added, removed and changed parts. */
import type {
  ChoiceDescription,
  FieldDescription,
  PackageDescription,
} from '../../daml/describing/describe.js';

export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  /** From the outside in: `module Main`, `template Iou`, `field owner`. */
  readonly what: readonly string[];
  /** A type, or another property. */
  readonly from?: string;
  readonly to?: string;
}

/** A property by its path. The path is empty for the whole definition. */
type Properties = ReadonlyMap<string, { readonly path: readonly string[]; readonly text: string }>;

/**
 * Lists the parts of the second package in their order, then the parts that only the first has. The parts of an added
 * or removed definition are not listed.
 */
export function differencesOf(
  first: PackageDescription,
  second: PackageDescription,
): readonly Difference[] {
  const [before, after] = [propertiesOf(first), propertiesOf(second)];
  const found: Difference[] = [];
  for (const [key, { path, text }] of after) {
    const past = before.get(key);
    if (past === undefined) {
      if (isReported(before, path)) found.push({ change: 'added', what: path, ...to(text) });
    } else if (past.text !== text)
      found.push({ change: 'changed', what: plain(path), from: past.text, to: text });
  }
  for (const [key, { path, text }] of before)
    if (!after.has(key) && isReported(after, path))
      found.push({ change: 'removed', what: path, ...from(text) });
  return found;
}

const to = (text: string) => (text === '' ? {} : { to: text });
const from = (text: string) => (text === '' ? {} : { from: text });
const keyOf = (path: readonly string[]): string => path.join('\n');
const ORDER = /^order of (\w+) /;
/** The differences inside a definition that both packages have. Order is compared separately. */
const isReported = (properties: Properties, path: readonly string[]): boolean =>
  !ORDER.test(path.at(-1)!) && (path.length === 1 || properties.has(keyOf(path.slice(0, -1))));

function propertiesOf({ modules, languageVersion }: PackageDescription): Properties {
  const all = new Map<string, { path: readonly string[]; text: string }>();
  const add = (path: readonly string[], text = '') => all.set(keyOf(path), { path, text });
  const addFields = (
    path: readonly string[],
    what: string,
    fields: readonly FieldDescription[],
  ) => {
    for (const { name, type } of fields) add([...path, `${what} ${name}`], type);
    // Reported if only the order differs.
    const names = fields.map(({ name }) => name);
    if (names.length > 1)
      add([...path, `order of ${what}s ${[...names].sort().join(' ')}`], names.join(', '));
  };
  const addChoices = (path: readonly string[], choices: readonly ChoiceDescription[]) => {
    for (const { name, consuming, argument, fields, result } of choices) {
      const at = [...path, `choice ${name}`];
      add(at, consuming ? 'consuming' : 'nonconsuming');
      add([...at, 'argument'], argument);
      add([...at, 'result'], result);
      addFields(at, 'field', fields);
    }
  };
  add(['language version'], languageVersion);
  for (const { name: module, templates, interfaces, types } of modules) {
    const inside = [`module ${module}`];
    add(inside);
    for (const { name, fields, key, implements: implemented, choices } of templates) {
      const at = [...inside, `template ${name}`];
      add(at);
      addFields(at, 'field', fields);
      if (key !== undefined) add([...at, 'key'], key);
      for (const each of implemented) add([...at, `implementation of ${each}`]);
      addChoices(at, choices);
    }
    for (const { name, view, requires, choices } of interfaces) {
      const at = [...inside, `interface ${name}`];
      add(at);
      add([...at, 'view'], view);
      for (const each of requires) add([...at, `requirement of ${each}`]);
      addChoices(at, choices);
    }
    for (const { name, params, kind, fields } of types) {
      const at = [...inside, `type ${name}`];
      add(at, [kind, ...params].join(' '));
      addFields(at, kind === 'record' ? 'field' : 'constructor', fields);
    }
  }
  return all;
}

const plain = (path: readonly string[]): readonly string[] => {
  const order = ORDER.exec(path.at(-1)!);
  return order === null ? path : [...path.slice(0, -1), `order of ${order[1]}`];
};

const MARKS = { added: '+', removed: '-', changed: '~' };

export function differenceText({ change, what, from: past, to: present }: Difference): string {
  const types = [past, present].filter((text) => text !== undefined).join(' → ');
  return `  ${MARKS[change]} ${what.join(', ')}${types === '' ? '' : `: ${types}`}`;
}
