/**
 * Choice coverage of a test run, as data that can be merged over several runs, and as text.
 * NOTE: the report is Canticle's: participants do not count choices.
 */
import { linesText, mergedFiles, type FileCoverage } from './line-report.js';

export interface ChoiceCount {
  readonly name: string;
  /** `Module:Entity` of the interface that defines the choice. */
  readonly interface?: string;
  /** How often, in committed transactions. */
  readonly exercised: number;
}

export interface TemplateCoverage {
  /** `Module:Entity` */
  readonly name: string;
  readonly created: number;
  readonly choices: readonly ChoiceCount[];
}

export interface PackageCoverage {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly templates: readonly TemplateCoverage[];
}

/** Packages with templates, sorted by name, version and id; templates and choices sorted too. */
export interface CoverageReport {
  /** By name and version. */
  readonly packages: readonly PackageCoverage[];
  /** Lines of Daml, if they were counted. */
  readonly files?: readonly FileCoverage[];
}

const byText =
  <T>(key: (item: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

const choiceKey = ({ name, interface: id = '' }: ChoiceCount): string => `${id} ${name}`;

export function reportOf(packages: readonly PackageCoverage[]): CoverageReport {
  const sorted = packages
    .filter(({ templates }) => templates.length > 0)
    .map((each) => ({
      ...each,
      templates: each.templates
        .map((template) => ({
          ...template,
          choices: [...template.choices].sort(byText(choiceKey)),
        }))
        .sort(byText(({ name }) => name)),
    }))
    .sort(byText(({ name, version, id }) => `${name} ${version} ${id}`));
  return { packages: sorted };
}

/** Merges two runs. Packages with the same id are the same. */
export function mergedCoverage(one: CoverageReport, other: CoverageReport): CoverageReport {
  const files = mergedFiles(one.files, other.files);
  const choices = reportOf(
    merged(
      one.packages,
      other.packages,
      ({ id }) => id,
      (a, b) => ({
        ...a,
        templates: merged(
          a.templates,
          b.templates,
          ({ name }) => name,
          (left, right) => ({
            ...left,
            created: left.created + right.created,
            choices: merged(left.choices, right.choices, choiceKey, (x, y) => ({
              ...x,
              exercised: x.exercised + y.exercised,
            })),
          }),
        ),
      }),
    ),
  );
  return { ...choices, ...(files.length > 0 && { files }) };
}

function merged<T>(
  one: readonly T[],
  other: readonly T[],
  key: (item: T) => string,
  add: (a: T, b: T) => T,
): T[] {
  const all = new Map(one.map((item) => [key(item), item]));
  for (const item of other) {
    const known = all.get(key(item));
    all.set(key(item), known === undefined ? item : add(known, item));
  }
  return [...all.values()];
}

export interface CoverageTotals {
  readonly templates: number;
  readonly created: number;
  readonly choices: number;
  readonly exercised: number;
}

/** The number of templates and choices, and how many of them were used. `Archive` counts like any other choice. */
export function totalsOf(packages: readonly PackageCoverage[]): CoverageTotals {
  const templates = packages.flatMap((each) => each.templates);
  const choices = templates.flatMap((each) => each.choices);
  return {
    templates: templates.length,
    created: templates.filter(({ created }) => created > 0).length,
    choices: choices.length,
    exercised: choices.filter(({ exercised }) => exercised > 0).length,
  };
}

/** Lines of plain text, with a break at the end. */
export function coverageText({ packages, files = [] }: CoverageReport): string {
  return choicesText(packages) + linesText(files);
}

function choicesText(packages: readonly PackageCoverage[]): string {
  if (packages.length === 0)
    return "Choice coverage: there is no package with templates, except Canticle's own. Name those to report them, such as canticle-quickstart.\n";
  const lines = packages.flatMap(packageLines);
  const total = packages.length > 1 ? [`all: ${totalsText(totalsOf(packages))}`] : [];
  return ['Choice coverage, of committed transactions', ...lines, ...total, ''].join('\n');
}

function packageLines(covered: PackageCoverage): string[] {
  const { name, version, templates } = covered;
  const never = templates.filter(({ created }) => created === 0).map((template) => template.name);
  const unexercised = templates.flatMap((template) =>
    template.choices
      .filter(({ exercised }) => exercised === 0)
      .map((choice) => `${template.name} ${choiceText(choice)}`),
  );
  return [
    `${name} ${version}: ${totalsText(totalsOf([covered]))}`,
    ...listed('never created', never),
    ...listed('never exercised', unexercised),
  ];
}

const choiceText = ({ name, interface: id }: ChoiceCount): string =>
  id === undefined ? name : `${id}.${name}`;

function totalsText({ templates, created, choices, exercised }: CoverageTotals): string {
  return `${share(created, templates)} templates created, ${share(exercised, choices)} choices exercised`;
}

const share = (some: number, all: number): string =>
  `${some} of ${all}${all === 0 ? '' : ` (${Math.floor((100 * some) / all)} %)`}`;

function listed(title: string, items: readonly string[]): string[] {
  return items.map((item, index) => `  ${(index === 0 ? title : '').padEnd(16)}${item}`);
}
