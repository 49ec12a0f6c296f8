/**
 * The contracts of a script's in-memory ledger as tables, like the view in an IDE: a table per template, a line per
 * contract. Each line has the signatories (S), the observers (O) and the other witnesses (W).
 */
import { shortValue } from '../../daml/explanation/short-value.js';
import {
  boundBody,
  template as templateOf,
  type PackageLookup,
  type Template,
} from '../../daml/model/package.js';
import { qualifiedNameOf, type Field, type TypeId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { IdeContract, IdeContracts } from './ide-contracts.js';

/** The limits: characters of a cell, rows of a template, and templates. */
const MAX_CELL = 32;
const MAX_ROWS = 20;
const MAX_TEMPLATES = 30;

/** A template's contracts. */
export interface ContractsTable {
  readonly template: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The number of omitted contracts. */
  readonly more: number;
}

/** @param isArchivedShown whether to include archived contracts */
export function contractTables(
  packages: PackageLookup,
  contracts: IdeContracts,
  isArchivedShown = true,
): readonly ContractsTable[] {
  const byTemplate = new Map<TypeId, IdeContract[]>();
  for (const each of contracts.all()) {
    if (!isArchivedShown && each.archivedIn !== undefined) continue;
    const { templateId } = each.instance;
    const known = byTemplate.get(templateId);
    if (known === undefined) byTemplate.set(templateId, [each]);
    else known.push(each);
  }
  return [...byTemplate]
    .sort(([a], [b]) => (qualifiedNameOf(a) < qualifiedNameOf(b) ? -1 : 1))
    .map(([id, all]) => tableOf(packages, id, all));
}

function tableOf(packages: PackageLookup, id: TypeId, all: readonly IdeContract[]): ContractsTable {
  const template = templateOf(packages, id);
  const fields = template === undefined ? [] : fieldsOf(packages, template);
  // Active contracts come first, because users look for them.
  const active = all.filter(({ archivedIn }) => archivedIn === undefined);
  const archived = all.filter(({ archivedIn }) => archivedIn !== undefined);
  const shown = [...active, ...archived].slice(0, MAX_ROWS);
  const parties = [...new Set(shown.flatMap(({ seenBy }) => [...seenBy]))].sort();
  return {
    template: qualifiedNameOf(id),
    columns: ['#', 'status', ...fields.map(({ name }) => name), ...parties],
    rows: shown.map((each) => rowOf(packages, each, fields, parties)),
    more: all.length - shown.length,
  };
}

function fieldsOf(packages: PackageLookup, { payloadType }: Template): readonly Field[] {
  const body = payloadType.kind === 'con' ? boundBody(packages, payloadType) : undefined;
  return body?.kind === 'record' ? body.fields : [];
}

function rowOf(
  packages: PackageLookup,
  { instance, createdIn, archivedIn, seenBy }: IdeContract,
  fields: readonly Field[],
  parties: readonly Party[],
): readonly string[] {
  const { payload, signatories, observers } = instance;
  const role = (party: Party): string =>
    signatories.includes(party)
      ? 'S'
      : observers.includes(party)
        ? 'O'
        : seenBy.has(party)
          ? 'W'
          : '-';
  return [
    String(createdIn),
    archivedIn === undefined ? 'active' : `archived in ${archivedIn}`,
    ...fields.map(({ name, type }) => shortValue(packages, type, payload[name] ?? null)),
    ...parties.map(role),
  ];
}

const cut = (text: string): string =>
  text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;

/** Lines of text. */
export function tableText(tables: readonly ContractsTable[]): readonly string[] {
  const lines = tables.slice(0, MAX_TEMPLATES).flatMap(({ template, columns, rows, more }) => {
    const cells = [columns, ...rows].map((row) => row.map(cut));
    const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    const drawn = cells.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
    const rest = more > 0 ? [`… ${more} more`] : [];
    return [template, ...[...drawn, ...rest].map((line) => `  ${line}`)];
  });
  const more = tables.length - MAX_TEMPLATES;
  return more > 0 ? [...lines, `… ${more} more templates`] : lines;
}
