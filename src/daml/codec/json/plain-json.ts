/** The common parts of all JSON encodings of Daml values, for the Ledger API and Scan: lists, maps, variants and enumerations. */
import { setMember } from '../../model/own-members.js';
import type { DamlValue, DamlVariant } from '../../model/values.js';
import type { TypeFold } from '../type-fold.js';

export type JsonEncoder = (value: DamlValue) => unknown;

type Shared = 'list' | 'textMap' | 'genMap' | 'variant' | 'enumeration' | 'opaque';

export const plainJson: Pick<TypeFold<JsonEncoder>, Shared> = {
  list: (of) => (value) => (value as readonly DamlValue[]).map((item) => of(item)),
  textMap: (of) => (value) => {
    const json: Record<string, unknown> = {};
    for (const [key, member] of value as ReadonlyMap<string, DamlValue>)
      setMember(json, key, of(member));
    return json;
  },
  genMap: (key, value) => (map) =>
    (map as readonly (readonly [DamlValue, DamlValue])[]).map((entry) => [
      key(entry[0]),
      value(entry[1]),
    ]),
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      return { tag, value: cases.get(tag)!(inner) };
    };
  },
  enumeration: () => (value) => value,
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} have no JSON.`);
  },
};
