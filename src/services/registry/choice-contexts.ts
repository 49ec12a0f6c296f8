/**
 * The registry's choice contexts in JSON, which a client passes with a choice: context data and disclosed contracts (R-GEN-003 to
 * R-GEN-007).
 */
import { createdEventBlob } from '../../daml/contract/created-event-blob.js';
import { encodeValue } from '../../daml/codec/json/codec.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import { formatTimestamp } from '../../daml/model/time.js';
import type { DamlRecord } from '../../daml/model/values.js';
import type { ChoiceContext, DisclosedContract } from '../../spec/generated/registry.js';
import {
  CHOICE_CONTEXT_TYPE,
  type DisclosedToken,
  type RegistryAnswer,
  type RegistryContext,
  type RegistryRefusal,
} from '../../token/registry/registry.js';
import { HttpRefusal } from '../handler.js';
import type { Splice } from '../../splice/splice.js';

type Encoding = Pick<Splice, 'packages' | 'scanJson'>;

const STATUS: Readonly<Record<RegistryRefusal['kind'], 400 | 404 | 409 | 500>> = {
  invalid: 400,
  'not-found': 404,
  // A contract to disclose is being reassigned. The request succeeds after its assignment (R-GEN-009).
  reassigning: 409,
  unclear: 500,
};

/**
 * The answer's value.
 * @throws HttpRefusal if the registry refuses the request
 */
export function answered<T>(answer: RegistryAnswer<T>): T {
  if (answer.ok) return answer.value;
  throw new HttpRefusal(STATUS[answer.refusal.kind], answer.refusal.message);
}

export function choiceContext(
  { packages, scanJson }: Encoding,
  { context, disclosed }: RegistryContext,
  excludeDebugFields = false,
): ChoiceContext {
  return {
    choiceContextData: encodeValue(
      packages,
      CHOICE_CONTEXT_TYPE,
      context as unknown as DamlRecord,
    ) as Record<string, unknown>,
    disclosedContracts: disclosed.map((token) => ({
      ...disclosure(packages, token),
      ...(excludeDebugFields ? {} : debugFields({ packages, scanJson }, token)),
    })),
  };
}

export function disclosure(
  packages: PackageLookup,
  { contract, synchronizerId }: DisclosedToken,
): DisclosedContract {
  return {
    templateId: contract.templateId,
    contractId: contract.contractId,
    createdEventBlob: createdEventBlob(packages, contract),
    synchronizerId,
  };
}

function debugFields(
  { packages, scanJson }: Encoding,
  { contract }: DisclosedToken,
): Partial<DisclosedContract> {
  const { payloadType } = templateOf(packages, contract.templateId)!;
  return {
    debugPackageName: contract.packageName,
    debugPayload: scanJson.payload(packages, payloadType, contract.payload) as Record<
      string,
      unknown
    >,
    debugCreatedAt: formatTimestamp(contract.createdAt),
  };
}
