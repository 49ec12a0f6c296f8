/** `splice-api-token-metadata-v1`: types that all interfaces of the token standard share. */
import {
  RelTime,
  d,
  defineInterface,
  definePackage,
  type Type,
  type ValueOf,
} from '../../daml/define/index.js';
import type { DamlValue } from '../../daml/model/values.js';

const MODULE = 'Splice.Api.Token.MetadataV1';

const AnyContractView = d.record(`${MODULE}:AnyContractView`, {});

/** No template implements it: `ContractId AnyContract` is the type of any contract's id. */
export const AnyContract = defineInterface({
  name: `${MODULE}:AnyContract`,
  view: AnyContractView,
});

const nested: Type<DamlValue> = d.lazy(() => AnyValue as Type<DamlValue>);

export const AnyValue = d.variant(`${MODULE}:AnyValue`, {
  AV_Text: d.text,
  AV_Int: d.int64,
  AV_Decimal: d.numeric(10),
  AV_Bool: d.bool,
  AV_Date: d.date,
  AV_Time: d.timestamp,
  AV_RelTime: RelTime,
  AV_Party: d.party,
  AV_ContractId: d.contractId(AnyContract),
  AV_List: d.list(nested),
  AV_Map: d.textMap(nested),
});

export const ChoiceContext = d.record(`${MODULE}:ChoiceContext`, { values: d.textMap(AnyValue) });
export const Metadata = d.record(`${MODULE}:Metadata`, { values: d.textMap(d.text) });
export const ExtraArgs = d.record(`${MODULE}:ExtraArgs`, {
  context: ChoiceContext,
  meta: Metadata,
});
export const ChoiceExecutionMetadata = d.record(`${MODULE}:ChoiceExecutionMetadata`, {
  meta: Metadata,
});

export type AnyValue = ValueOf<typeof AnyValue>;
export type ChoiceContext = ValueOf<typeof ChoiceContext>;
export type Metadata = ValueOf<typeof Metadata>;
export type ExtraArgs = ValueOf<typeof ExtraArgs>;

export const metadataV1 = definePackage({
  name: 'splice-api-token-metadata-v1',
  version: '1.0.0',
  id: '4ded6b668cb3b64f7a88a30874cd41c75829f5e064b3fbbadf41ec7e8363354f',
  interfaces: [AnyContract],
  types: [ChoiceContext, ExtraArgs, ChoiceExecutionMetadata],
});
