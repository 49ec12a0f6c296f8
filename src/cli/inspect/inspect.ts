/**
 * `canticle inspect`: shows the contents of a DAR, or the differences between two and whether a participant with the first accepts the
 * second. It prints the error that the upload would return.
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
  /** Describes all packages in full, not only the main one. */
  readonly all?: boolean;
  readonly cache?: string | false;
}

/** Exit status: no DAR is rejected; a participant that vets the earlier DARs rejects one. */
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

/** One of several DARs, and whether a participant that vets the earlier ones accepts it. */
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
      ? 'A participant accepts all of them, one after the other.'
      : `${refused} of ${checked.length} rejected by a participant that vets the earlier ones.`;
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
  /** Differences between the dependencies of both packages. */
  readonly dependencies: readonly Difference[];
  /** Whether both are versions of one package, and the second is later and a valid upgrade. */
  readonly upgrades: boolean;
  /** The error of an upload of the second to a participant that vets the first. */
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
    ? `${to.name} ${to.version} and ${from.name} ${from.version} are versions of one package. The later one is a valid upgrade of the earlier one.`
    : 'The packages have different names. A participant can vet both.';
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
          'A participant that vets the first rejects the second:',
          `  ${refusal.code}: ${refusal.cause}`,
        ]),
    '',
  ].join('\n');
}
