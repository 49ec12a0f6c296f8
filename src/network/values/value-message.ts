/**
 * Daml values as messages in parts, with all names of types and fields: the form that is hashed for external signing.
 * As everywhere on the Ledger API, trailing None fields of a record are omitted.
 */
import { recordMaker } from '../../daml/codec/record-maker.js';
import { typeCompiler, type ScalarType } from '../../daml/codec/type-fold.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue, DamlVariant, Some } from '../../daml/model/values.js';
import { toIdentifier, type ProtoValue } from './messages.js';
import { presentFields } from './writer.js';

/** Changes contract ids: those that the transaction itself creates have no suffix yet. */
export type RenameContract = (contractId: string) => string;

type Build = (value: DamlValue, rename: RenameContract) => ProtoValue;

const builder = typeCompiler<Build>(() => ({
  scalar: scalarBuilder,
  optional: (of, compile) => {
    const build = compile(of);
    return (value, rename) => ({
      optional: { value: value === null ? undefined : build((value as Some).value, rename) },
    });
  },
  list: (of) => (value, rename) => ({
    list: { elements: (value as readonly DamlValue[]).map((item) => of(item, rename)) },
  }),
  textMap: (of) => (value, rename) => {
    const members = [...(value as ReadonlyMap<string, DamlValue>)];
    const entries = members.map(([key, member]) => ({ key, value: of(member, rename) }));
    return { textMap: { entries } };
  },
  genMap: (ofKey, of) => (value, rename) => {
    const members = value as readonly (readonly [DamlValue, DamlValue])[];
    const entries = members.map(([key, member]) => ({
      key: ofKey(key, rename),
      value: of(member, rename),
    }));
    return { genMap: { entries } };
  },
  record: (fields, id) => {
    const recordId = toIdentifier(id);
    return (value, rename) => {
      const record = value as DamlRecord;
      const length = presentFields(fields, record);
      const present = length === fields.length ? fields : fields.slice(0, length);
      const built = present.map(({ name, run }) => ({
        label: name,
        value: run(record[name]!, rename),
      }));
      return { record: { recordId, fields: built } };
    };
  },
  variant: (constructors, id) => {
    const variantId = toIdentifier(id);
    const cases = new Map(constructors.map((each) => [each.name, each.run]));
    return (value, rename) => {
      const { tag, value: inner } = value as DamlVariant;
      return { variant: { variantId, constructor: tag, value: cases.get(tag)!(inner, rename) } };
    };
  },
  enumeration: (_, id) => {
    const enumId = toIdentifier(id);
    return (value) => ({ enum: { enumId, constructor: value as string } });
  },
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} have no message.`);
  },
}));

function scalarBuilder({ kind }: ScalarType): Build {
  switch (kind) {
    case 'unit':
      return () => ({ unit: {} });
    case 'numeric':
      return (value) => ({ numeric: (value as Numeric).toString() });
    case 'contractId':
      return (value, rename) => ({ contractId: rename(value as string) });
    default: {
      const make = recordMaker([kind]);
      return (value) => make([value]) as ProtoValue;
    }
  }
}

export const valueMessage = (
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
  rename: RenameContract,
): ProtoValue => builder(packages, type)(value, rename);
