/**
 * Blobs of real networks, from their documentation and public recordings. The hashes in their contract ids come out the same, for
 * each version of the rules for ids. The test also reads a folder of JSON or text files that CANTICLE_BLOBS names, if the DARs of
 * CANTICLE_DARS have the packages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { decodeBlob, readBlob } from '../../../src/daml/contract/created-event-blob.js';
import { createdEventBlob } from '../../../src/daml/contract/created-event-blob.js';
import { versionOf } from '../../../src/daml/contract/contract-id.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';
import type { DamlPackage, PackageLookup } from '../../../src/daml/model/package.js';
import type { DamlType, DataType, Field } from '../../../src/daml/model/types.js';
import blobs from './real-blobs.json' with { type: 'json' };

type Fields = { readonly [name: string]: string | { readonly [type: string]: Fields } };
type RealBlob = Omit<(typeof blobs)[number], 'fields'> & { readonly fields: Fields };
/** Blobs with few types, which are listed here. The test of disclosure reads the rest. */
const BLOBS = (blobs as unknown as readonly RealBlob[]).filter(
  ({ fields }) => Object.keys(fields).length > 0,
);

/** Just what the blob needs to be read. */
function packagesOf({ packageId, packageName, template, fields }: RealBlob): PackageLookup {
  const dataTypes = new Map<string, DataType>();
  const declare = (name: string, members: Fields): DamlType => {
    const typed = Object.entries(members).map(([field, of]): Field => ({
      name: field,
      type: typeOf(of),
    }));
    dataTypes.set(name, {
      params: [],
      body: { kind: 'record', fields: typed },
    } as unknown as DataType);
    return { kind: 'con', id: `${packageId}:${name}`, args: [] };
  };
  const typeOf = (of: Fields[string]): DamlType => {
    if (typeof of !== 'string') return declare(...(Object.entries(of)[0] as [string, Fields]));
    const [outer, inner] = of.split(' ');
    if (inner !== undefined) return { kind: outer, of: typeOf(inner) } as DamlType;
    return of === 'decimal' ? { kind: 'numeric', scale: 10 } : ({ kind: of } as DamlType);
  };
  const definition = {
    id: `${packageId}:${template}`,
    packageName,
    payloadType: declare(template, fields),
    choices: new Map(),
    implementations: new Map(),
  };
  const found = {
    id: packageId,
    name: packageName,
    dataTypes,
    templates: new Map([[template, definition]]),
  };
  return {
    package: (id) => (id === packageId ? (found as unknown as DamlPackage) : undefined),
    packageIdForName: () => undefined,
  };
}

describe('a blob of a real network', () => {
  it.each(BLOBS)('decodes to the contract with its id, $version: $what', (row) => {
    const packages = packagesOf(row);
    const contract = decodeBlob(packages, row.blob);
    expect(contract).toMatchObject({ contractId: row.contractId, packageName: row.packageName });
    expect(versionOf(contract.contractId)?.name).toBe(row.version);
    expect(createdEventBlob(packages, contract)).toBe(row.blob);
  });

  it.each(BLOBS)('is rejected after a change of its contents, $version: $what', (row) => {
    const packages = packagesOf(row);
    const bytes = Buffer.from(row.blob, 'base64');
    const { signatories, createdAt } = decodeBlob(packages, row.blob);
    const signatory = Buffer.from(signatories[0]!);
    const time = Buffer.alloc(8);
    time.writeBigInt64LE(createdAt);
    const places = {
      argument: bytes.indexOf(signatory) + signatory.length - 1,
      signatory: bytes.lastIndexOf(signatory) + signatory.length - 1,
      time: bytes.lastIndexOf(time),
      salt: bytes.length - 3,
      id: bytes.indexOf(Buffer.from(row.contractId, 'hex')) + 68,
    };
    for (const [what, place] of Object.entries(places)) {
      const changed = Buffer.from(bytes);
      changed[place]! ^= changed[place]! === 0x61 ? 3 : 1;
      const { error: fault } = readBlob(packages, changed.toString('base64'));
      expect([what, fault?.code]).toEqual([
        what,
        'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED',
      ]);
      expect(fault?.details.explanation).toContain('Mismatching contract id suffixes. Expected: ');
    }
  });
});

const folder = process.env['CANTICLE_BLOBS'];
const [bulk, wanted] =
  folder === undefined ? [it.skip, ' (needs blobs: CANTICLE_BLOBS)'] : [it, ''];

bulk(`each blob of a folder decodes to the contract with its id${wanted}`, () => {
  const found = new Set(
    readdirSync(folder!).flatMap(
      (name) =>
        readFileSync(join(folder!, name), 'utf8').match(/CgMyLj[A-Za-z0-9+/]{300,}={0,2}/g) ?? [],
    ),
  );
  const packages = packagesOfDars();
  const counts: Record<string, number> = {};
  for (const blob of found) {
    const name = outcome(packages, blob);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  process.stdout.write(`Blobs by what came of them: ${JSON.stringify(counts)}\n`);
  expect(
    Object.keys(counts).filter((name) => !/^(?:V1[012]|PACKAGE_NOT_FOUND)$/.test(name)),
  ).toEqual([]);
});

/** The version of its id, or why it is refused. */
function outcome(packages: PackageLookup, blob: string): string {
  try {
    return versionOf(decodeBlob(packages, blob).contractId)!.name;
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
}

function packagesOfDars(): PackageLookup {
  const dars = process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars');
  const known = new Map<string, DamlPackage>();
  const names = readdirSync(dars).filter((name) => /^splice-(?:amulet|dso)-?[a-z]*-\d/.test(name));
  for (const name of names)
    for (const each of readDar(readFileSync(join(dars, name))).packages) known.set(each.id, each);
  return { package: (id) => known.get(id), packageIdForName: () => undefined };
}
