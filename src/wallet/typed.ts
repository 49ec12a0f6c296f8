/**
 * Templates and choices as objects, from `canticle codegen`, `defineTemplate` or `dpm codegen-js`. Objects of the last have JavaScript
 * types that differ from Ledger API JSON, and codecs for them.
 */
import type {
  AnyChoice,
  AnyTemplate,
  ContractIdOf,
  KeyOf,
  PayloadOf,
  ViewOf,
} from '../daml/model/typed-template.js';
import type { ActiveContract } from './active-contract.js';

/** A template or interface: its id, `#package-name:Module:Entity` or package-id qualified, or an object with this id. */
export type TemplateName = string | AnyTemplate;

/** A contract of the template `T` with the types of its payload and key; for an interface, with its view. */
export type ContractOf<T> = Omit<ActiveContract, 'payload' | 'key' | 'contractId'> & Details<T>;
type Details<T> = [ViewOf<T>] extends [never]
  ? { readonly contractId: ContractIdOf<T>; readonly payload: PayloadOf<T> } & Keyed<KeyOf<T>>
  : Pick<ActiveContract, 'payload' | 'key' | 'contractId'> & { readonly view: ViewOf<T> };
type Keyed<K> = [K] extends [undefined] ? unknown : { readonly key: K };

interface Decoder {
  runWithException(json: unknown): unknown;
}

/** The codecs of `@daml/types`. */
interface WithCodecs {
  readonly encode?: (payload: unknown) => unknown;
  readonly decoder?: Decoder;
  readonly keyEncode?: (key: unknown) => unknown;
  readonly keyDecoder?: Decoder;
  readonly argumentEncode?: (argument: unknown) => unknown;
  readonly resultDecoder?: Decoder;
}

export const idOf = (given: TemplateName): string =>
  typeof given === 'object' ? given.templateId : given;

export const isChoice = (given: unknown): given is AnyChoice =>
  typeof given === 'object' && given !== null && 'choiceName' in given;

const encoded = (encode: ((value: unknown) => unknown) | undefined, value: unknown): unknown =>
  encode === undefined ? value : encode(value);
const decoded = (decoder: Decoder | undefined, json: unknown): unknown =>
  decoder === undefined ? json : decoder.runWithException(json);
const codecsOf = (given: TemplateName | AnyChoice): WithCodecs =>
  typeof given === 'object' ? (given as WithCodecs) : {};

/** Encodes to Ledger API JSON, as do the next two functions. */
export const encodedPayload = (template: TemplateName, payload: unknown): unknown =>
  encoded(codecsOf(template).encode, payload);
export const encodedArgument = (choice: AnyChoice, argument: unknown): unknown =>
  encoded(codecsOf(choice).argumentEncode, argument);
export const encodedKey = (template: TemplateName, key: unknown): unknown =>
  encoded(codecsOf(template).keyEncode, key);
export const decodedResult = (choice: AnyChoice | undefined, json: unknown): unknown =>
  choice === undefined ? json : decoded(codecsOf(choice).resultDecoder, json);

/** @param view the interface view of the contract, as Ledger API JSON */
export function decodedContract(
  template: TemplateName,
  contract: ActiveContract,
  view?: { readonly json: unknown },
): ActiveContract {
  const { decoder, keyDecoder } = codecsOf(template);
  if (view !== undefined)
    return { ...contract, view: decoded(decoder, view.json) } as ActiveContract;
  const key = contract.key === undefined ? {} : { key: decoded(keyDecoder, contract.key) };
  return { ...contract, payload: decoded(decoder, contract.payload), ...key };
}
