/** The interpreter's errors about contract keys, with Canton's texts. */
import { interpretation, ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { crash } from './refusals.js';
import type { EngineRules } from './engine-rules.js';
import type { PackageLookup, Template } from '../model/package.js';
import { prettyStored, prettyTypeId, prettyValue } from '../codec/pretty.js';
import { scalaValue } from '../codec/scala-value.js';
import type { ContractKey } from '../model/transaction.js';
import type { DamlType, TypeId } from '../model/types.js';
import { encodeValueProto } from '../codec/protobuf/value.js';
import type { ContractId, DamlRecord, DamlValue, Party } from '../model/values.js';

type Resources = readonly (readonly [type: string, value: string])[];

/** A template with a key, and one of its keys. */
export interface KeyOf {
  readonly template: Template;
  readonly key: ContractKey;
}

function keyType({ key }: Template): DamlType {
  return key!.type;
}

function resourcesOf(packages: PackageLookup, { template, key }: KeyOf): Resources {
  return [
    ['TEMPLATE_ID', template.id],
    ['CONTRACT_KEY', encodedKey(packages, template, key.value)],
    ['PACKAGE_NAME', template.packageName],
  ];
}

function encodedKey(packages: PackageLookup, template: Template, key: DamlValue): string {
  return Buffer.from(encodeValueProto(packages, keyType(template), key)).toString('base64');
}

export function contractIdInKey(contractId: ContractId): LedgerError {
  return ledgerError(
    'CONTRACT_ID_IN_CONTRACT_KEY',
    interpretation(`Contract IDs are not supported in contract keys: ${contractId}`),
  );
}

export function keyNotFound(
  packages: PackageLookup,
  query: KeyOf,
  { printsKeysTightly = false }: EngineRules = {},
): LedgerError {
  const { template, key } = query;
  const value = scalaValue(packages, keyType(template), key.value);
  const parts = [template.id, template.packageName, value, `Hash(${key.hash})`];
  const shown = parts.join(printsKeysTightly ? ',' : ', ');
  return ledgerError('CONTRACT_KEY_NOT_FOUND', {
    cause: `dependency error: couldn't find key: GlobalKey(${shown})`,
    resources: resourcesOf(packages, query),
    explanation:
      'No active contract with this key has one of the submitters or readers (actAs, readAs) as a stakeholder, and none is disclosed.',
  });
}

export function inconsistentKey(packages: PackageLookup, query: KeyOf): LedgerError {
  const { template, key } = query;
  const value = prettyValue(packages, keyType(template), key.value);
  return ledgerError('INCONSISTENT_CONTRACT_KEY', {
    cause: interpretation(`Update failed due to an inconsistent contract key ${value}`),
    resources: resourcesOf(packages, query),
  });
}

export function createWithoutMaintainers(
  packages: PackageLookup,
  { template, key }: KeyOf,
  payload: DamlRecord,
): LedgerError {
  const pretty = (type: DamlType, value: DamlValue) => prettyStored(packages, type, value);
  const argument = encodeValueProto(packages, template.payloadType, payload);
  return ledgerError('CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS', {
    cause: interpretation(
      'Update failed due to a contract key with an empty set of maintainers when creating ' +
        `${prettyTypeId(template.id)} with ${pretty(template.payloadType, payload)}\n` +
        `The computed key is ${pretty(keyType(template), key.value)}`,
    ),
    resources: [
      ['TEMPLATE_ID', template.id],
      ['CONTRACT_ARG', Buffer.from(argument).toString('base64')],
    ],
  });
}

export function fetchWithoutMaintainers(packages: PackageLookup, query: KeyOf): LedgerError {
  const { template, key } = query;
  return ledgerError('FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS', {
    cause: interpretation(
      'Update failed due to a contract key with an empty set of maintainers when fetching or looking up by key ' +
        `${template.packageName} / ${prettyTypeId(template.id)}\n` +
        `The provided shared key is ${prettyStored(packages, keyType(template), key.value)}`,
    ),
    resources: resourcesOf(packages, query),
  });
}

export function maintainersNotSignatories(
  nodeId: number,
  templateId: TypeId,
  maintainers: readonly Party[],
  signatories: readonly Party[],
): LedgerError {
  return ledgerError('DAML_AUTHORIZATION_ERROR', {
    cause: interpretation(
      `node NodeId(${nodeId}) (${templateId}) has maintainers ${maintainers.join(',')} ` +
        `which are not a subset of the signatories TreeSet(${signatories.join(', ')})`,
    ),
    authorization: { required: maintainers, given: signatories },
  });
}

export function missingLookupAuthorizers(
  nodeId: number,
  templateId: TypeId,
  maintainers: readonly Party[],
  given: readonly Party[],
): LedgerError {
  return ledgerError('DAML_AUTHORIZATION_ERROR', {
    cause: interpretation(
      `node NodeId(${nodeId}) (${templateId}) requires authorizers ${maintainers.join(',')} ` +
        `for lookup by key, but it only has ${given.join(',')}`,
    ),
    authorization: { required: maintainers, given },
    explanation: "Only with the authority of all of a key's maintainers may it be looked up.",
  });
}

export function badQueryCount(count: number): LedgerError {
  return crash(`Invalid argument n for QueryNByKey: ${count}. Expected a positive integer.`);
}
