/**
 * The created templates and exercised choices of the package and of its dependencies, in the format of the coverage
 * report of Daml's test command. NOTE: scripts of dependencies, which `--all` runs, count as scripts of the package.
 */
import type { PackageCoverage, TemplateCoverage } from '../../network/coverage/coverage-report.js';
import type { DarCoverage } from './tested-dar.js';

interface Counted {
  readonly name: string;
  readonly count: number;
}

export function coverageWords({ main, coverage: { packages } }: DarCoverage): string {
  const own = packages.filter(({ id }) => id === main.id);
  const others = packages.filter(({ id }) => id !== main.id);
  return [
    'Modules internal to this package:',
    ...section('Internal', own, () => ''),
    'Modules external to this package:',
    ...section('External', others, ({ name }) => `${name}:`),
    '',
  ].join('\n');
}

function section(
  which: 'Internal' | 'External',
  packages: readonly PackageCoverage[],
  prefix: (of: PackageCoverage) => string,
): readonly string[] {
  const templates = packages.flatMap((each) =>
    each.templates.map((template) => ({ ...template, name: `${prefix(each)}${template.name}` })),
  );
  const kind = which.toLowerCase();
  const created = templates.map(({ name, created: count }) => ({ name, count }));
  const implementations = templates.reduce((sum, each) => sum + interfacesOf(each), 0);
  return [
    `- ${which} templates`,
    ...share(created, 'created', `${kind} templates never created`),
    `- ${which} template choices`,
    ...share(choicesOf(templates, false), 'exercised', `${kind} template choices never exercised`),
    `- ${which} interface implementations`,
    `  ${implementations} defined`,
    `- ${which} interface choices`,
    ...share(choicesOf(templates, true), 'exercised', `${kind} interface choices never exercised`),
  ];
}

const interfacesOf = ({ choices }: TemplateCoverage): number =>
  new Set(choices.flatMap(({ interface: id }) => id ?? [])).size;

const choicesOf = (
  templates: readonly TemplateCoverage[],
  isOfInterface: boolean,
): readonly Counted[] =>
  templates.flatMap((template) =>
    template.choices
      .filter((choice) => (choice.interface !== undefined) === isOfInterface)
      .map(({ name, exercised: count }) => ({ name: `${template.name}:${name}`, count })),
  );

function share(all: readonly Counted[], done: string, never: string): readonly string[] {
  const missing = all.filter(({ count }) => count === 0).map(({ name }) => `    ${name}`);
  const some = all.length - missing.length;
  const percent = (all.length === 0 ? 100 : (100 * some) / all.length).toFixed(1).padStart(5);
  return [
    `  ${all.length} defined`,
    `  ${some} (${percent}%) ${done}`,
    `  ${never}: ${missing.length}`,
    ...missing,
  ];
}
