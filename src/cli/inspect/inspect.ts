/**
 * `canticle inspect`: what a DAR holds; of two, what is different, and whether a participant that has the first takes the second.
 * What it refuses is told as the upload would be refused.
 */
import { createHash } from 'node:crypto';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { DamlPackage, PackageLookup } from '../../daml/model/package.js';
import { checkLineages } from '../../network/vetting/vetting.js';
import { namedDar, type NamedDar } from '../read-dar.js';
import type { Terminal } from '../terminal.js';
import { describePackage, headOf } from '../../daml/describing/describe.js';
import { differencesOf, differenceText, type Difference } from './differences.js';
import { darText, headText, type DarDescription } from './inspect-text.js';

export interface InspectFlags {
  readonly json?: boolean;
  /** All packages whole, not the main one alone. */
  readonly all?: boolean;
  readonly cache?: string | false;
}

/** Exit status: there is nothing to refuse, the second is refused beside the first. */
const FITS = 0;
const REFUSED = 1;

/** @returns the exit status */
export function inspectDars(
  files: readonly string[],
  { stdout }: Terminal,
  flags: InspectFlags,
): number {
  const dars = files.map((file) => namedDar(file, flags.cache));
  const [first, second, ...later] = dars;
  const print = (document: object, text: string) =>
    stdout.write(flags.json === true ? `${JSON.stringify(document, undefined, 2)}\n` : text);
  if (second === undefined) {
    const described = describedDar(first!, flags);
    print(described, darText(described));
    return FITS;
  }
  if (later.length === 0) {
    const compared = compare(first!, second);
    print(compared, comparedText(compared));
    return compared.refusal === undefined ? FITS : REFUSED;
  }
  const checked = dars.map((dar, place) => checkedBeside(dars.slice(0, place), dar));
  print(checked, checkedText(checked));
  return checked.every(({ refusal }) => refusal === undefined) ? FITS : REFUSED;
}

/** One of several: whether it is taken where those before it are. */
interface Checked {
  readonly file: string;
  readonly main: ReturnType<typeof headOf>;
  readonly refusal?: { readonly code: string; readonly cause: string };
}

function checkedBeside(before: readonly NamedDar[], dar: NamedDar): Checked {
  const earlier = before.flatMap(({ packages }) => packages);
  const lookup = lookupOf([...earlier, ...dar.packages]);
  const refusal = refusalOf(lookup, { packages: earlier }, dar);
  return { file: dar.file, main: headOf(dar.main), ...(refusal && { refusal }) };
}

function checkedText(checked: readonly Checked[]): string {
  const lines = checked.flatMap(({ file, main, refusal }) =>
    refusal === undefined
      ? [`✓ ${file}  ${headText(main)}`]
      : [`✗ ${file}  ${headText(main)}`, `    ${refusal.code}: ${refusal.cause}`],
  );
  const refused = checked.filter(({ refusal }) => refusal !== undefined).length;
  const verdict =
    refused === 0
      ? 'A participant takes all of them, one after the other.'
      : `${refused} of ${checked.length} refused where those before are vetted.`;
  return `${[...lines, '', verdict].join('\n')}\n`;
}

function describedDar(
  { file, bytes, main, packages }: NamedDar,
  { all }: InspectFlags,
): DarDescription {
  const lookup = lookupOf(packages);
  const others = packages.filter(({ id }) => id !== main.id);
  return {
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    main: describePackage(main, lookup),
    packages: others.map((one) => (all === true ? describePackage(one, lookup) : headOf(one))),
  };
}

function lookupOf(packages: readonly DamlPackage[]): PackageLookup {
  const byId = new Map(packages.map((one) => [one.id, one]));
  return { package: (id) => byId.get(id), packageIdForName: () => undefined };
}

interface Compared {
  readonly from: ReturnType<typeof headOf>;
  readonly to: ReturnType<typeof headOf>;
  readonly differences: readonly Difference[];
  /** Of what the packages depend on. */
  readonly dependencies: readonly Difference[];
  /** Whether both are versions of one package, the second the later, and it is a valid upgrade. */
  readonly upgrades: boolean;
  /** What the upload of the second is refused with where the first is vetted. */
  readonly refusal?: { readonly code: string; readonly cause: string };
}

function compare(first: NamedDar, second: NamedDar): Compared {
  const lookup = lookupOf([...first.packages, ...second.packages]);
  const [from, to] = [first.main, second.main];
  const refusal = refusalOf(lookup, first, second);
  return {
    from: headOf(from),
    to: headOf(to),
    differences: differencesOf(describePackage(from, lookup), describePackage(to, lookup)),
    dependencies: dependencyDifferences(first, second),
    upgrades: refusal === undefined && from.name === to.name && from.id !== to.id,
    ...(refusal && { refusal }),
  };
}

function refusalOf(
  lookup: PackageLookup,
  first: Pick<NamedDar, 'packages'>,
  second: NamedDar,
): Compared['refusal'] {
  const added = second.packages.map(({ id }) => id);
  try {
    checkLineages(lookup, added, [...first.packages.map(({ id }) => id), ...added]);
    return undefined;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return { code: error.code, cause: error.details.cause };
  }
}

function dependencyDifferences(first: NamedDar, second: NamedDar): readonly Difference[] {
  const others = ({ main, packages }: NamedDar) => packages.filter(({ id }) => id !== main.id);
  const [before, after] = [others(first), others(second)];
  const lacks = (list: readonly DamlPackage[]) => (one: DamlPackage) =>
    list.every(({ id }) => id !== one.id);
  const changed = (change: Difference['change']) => (one: DamlPackage) => ({
    change,
    what: ['package'],
    [change === 'added' ? 'to' : 'from']: headText(one),
  });
  return [
    ...after.filter(lacks(before)).map(changed('added')),
    ...before.filter(lacks(after)).map(changed('removed')),
  ];
}

function comparedText(compared: Compared): string {
  const { from, to, differences, dependencies, refusal, upgrades } = compared;
  const same = from.id === to.id ? 'They are the same package.' : 'They declare the same.';
  const verdict = upgrades
    ? `${to.name} ${to.version} and ${from.name} ${from.version} are versions of one package, the later a valid upgrade of the earlier.`
    : 'They are packages of different names, and may stand side by side.';
  return [
    `from ${headText(from)}`,
    `to   ${headText(to)}`,
    '',
    ...(differences.length === 0 ? [same] : differences.map(differenceText)),
    ...(dependencies.length === 0 ? [] : ['', 'Dependencies', ...dependencies.map(differenceText)]),
    ...(refusal === undefined
      ? from.id === to.id
        ? []
        : ['', verdict]
      : [
          '',
          'Where the first is vetted, the second is refused:',
          `  ${refusal.code}: ${refusal.cause}`,
        ]),
    '',
  ].join('\n');
}
