/** The fields of a release's messages, with the names that the services use. */
import type {
  Definitions,
  FieldDefinition,
} from '../../network/protobuf/definitions/definitions.js';
import { enumScalar, HEXADECIMAL, RAW_BYTES, SCALARS, type Scalar } from './scalars.js';
import { bytesForm, memberOf } from './shapes.js';
import { SPECIAL } from './special.js';

export interface NamedField extends FieldDefinition {
  /** The member of an object that represents the field. */
  readonly member: string;
}

export class Fields {
  /** @param usual the definitions whose names the services use */
  constructor(
    private readonly own: Definitions,
    private readonly usual: Definitions,
  ) {}

  /** Undefined if the release has no message of this name. */
  of(message: string): readonly NamedField[] | undefined {
    const fields = this.own.messageFields(message);
    const usual = (this.own !== this.usual && this.usual.messageFields(message)) || [];
    return fields?.map((field) => ({
      ...field,
      member: memberOf(message, usualName(field, usual)),
    }));
  }

  /** Undefined for messages. */
  scalarOf(type: string): Scalar | undefined {
    const scalar = SCALARS[type];
    if (scalar !== undefined) return scalar;
    if (type in SPECIAL || this.own.messageFields(type) !== undefined) return undefined;
    return enumScalar(this.own.valuesOf(type));
  }

  /** The scalar of a field of a message, which may have a special form. */
  scalarOfField(message: string, { name, type }: FieldDefinition): Scalar | undefined {
    const form = bytesForm(message, name);
    if (form === undefined) return this.scalarOf(type);
    return form === 'raw' ? RAW_BYTES : HEXADECIMAL;
  }
}

/** Releases rename fields, such as `public_key` to `v30`. The number and the type stay. */
function usualName({ name, number, type }: FieldDefinition, usual: readonly FieldDefinition[]) {
  if (usual.some((each) => each.name === name)) return name;
  return usual.find((each) => each.number === number && each.type === type)?.name ?? name;
}
