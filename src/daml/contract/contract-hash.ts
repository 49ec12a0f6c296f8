/**
 * The hash of what a contract holds, that its id is made of. How it is computed depends on the version of the id: since V12 over
 * the typed normal form, before over the bytes that the contract is stored as (untyped-hash.ts).
 */
import type { PackageLookup, Template } from '../model/package.js';
import { qualifiedNameOf } from '../model/types.js';
import type { DamlRecord } from '../model/values.js';
import { encoded, HashWriter } from './hash-writer.js';
import { beginTyped, contractValueFeeder } from './typed-normal-form.js';

type HashedTemplate = Pick<Template, 'id' | 'packageName' | 'payloadType'>;

const WRITER = new HashWriter();
/** What the hash of each contract of a template begins with: made anew each time, a create and an exercise cost 14 % more. */
const HEADS = new WeakMap<HashedTemplate, Uint8Array>();

/** Hexadecimal. @param payload canonical */
export function hashContract(
  packages: PackageLookup,
  template: HashedTemplate,
  payload: DamlRecord,
): string {
  let head = HEADS.get(template);
  if (head === undefined) HEADS.set(template, (head = headOf(template)));
  WRITER.begin().raw(head);
  contractValueFeeder(packages, template.payloadType)(payload, WRITER);
  return WRITER.sha256();
}

function headOf({ id, packageName }: HashedTemplate): Uint8Array {
  return encoded((writer) =>
    beginTyped(writer, 'contract').text(packageName).qualifiedName(qualifiedNameOf(id)),
  );
}
