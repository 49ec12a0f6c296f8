/** The text of a DAR: the package with its declarations, one line each, and its dependencies. */
import type {
  ChoiceDescription,
  FieldDescription,
  ModuleDescription,
  PackageHead,
  PackageDescription,
} from '../../daml/describing/describe.js';

export interface DarDescription {
  readonly file: string;
  /** SHA-256 of the file, as hexadecimal digits. */
  readonly sha256: string;
  readonly main: PackageDescription;
  /** All other packages, in the order of the file; in full if requested. */
  readonly packages: readonly (PackageHead | PackageDescription)[];
}

export function darText({ file, sha256, main, packages }: DarDescription): string {
  const others = packages.flatMap((one) =>
    'modules' in one ? ['', ...packageLines(one)] : [`  ${headText(one)}`],
  );
  return [
    `${file} (SHA-256 ${sha256})`,
    ...packageLines(main),
    '',
    `${packages.length} other package${packages.length === 1 ? '' : 's'}`,
    ...others,
    '',
  ].join('\n');
}

export const headText = ({ name, version, id, languageVersion }: PackageHead): string =>
  `${name} ${version}  ${id}  LF ${languageVersion}`;

const packageLines = (one: PackageDescription): readonly string[] => [
  headText(one),
  ...one.modules.flatMap((module) => ['', `module ${module.name}`, ...moduleLines(module)]),
];

function moduleLines({ templates, interfaces, types }: ModuleDescription): readonly string[] {
  return [
    ...templates.flatMap(({ name, fields, key, implements: implemented, choices }) => [
      `  template ${name}`,
      ...fieldLines(fields, '    '),
      ...(key === undefined ? [] : [`    key ${key}`]),
      ...implemented.map((each) => `    implements ${each}`),
      ...choices.flatMap(choiceLines),
    ]),
    ...interfaces.flatMap(({ name, view, requires, choices }) => [
      `  interface ${name}`,
      `    viewtype ${view}`,
      ...requires.map((each) => `    requires ${each}`),
      ...choices.flatMap(choiceLines),
    ]),
    ...types.flatMap(({ name, params, kind, fields }) => [
      `  ${kind} ${[name, ...params].join(' ')}`,
      ...fieldLines(fields, '    '),
    ]),
  ];
}

function choiceLines({
  name,
  consuming,
  argument,
  fields,
  result,
}: ChoiceDescription): readonly string[] {
  const head = `${consuming ? '' : 'nonconsuming '}choice ${name} : ${result}`;
  // A separate argument type has the name of the choice.
  const taken = argument === name ? '' : ` with ${argument}`;
  return [`    ${head}${taken}`, ...(taken === '' ? fieldLines(fields, '      ') : [])];
}

const fieldLines = (fields: readonly FieldDescription[], indent: string): readonly string[] =>
  fields.map(({ name, type }) => `${indent}${name}${type === undefined ? '' : ` : ${type}`}`);
