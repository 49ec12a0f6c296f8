/** What is made of each member of a oneof. */
import { parseError } from '../../archive/dar-refusals.js';
import type { ExpressionDecoder } from './expression-decoder.js';
import type { ScalaPart } from './scala-object.js';

export type Form<Value> = (decoder: ExpressionDecoder, value: Value) => ScalaPart;

export type Forms<Sum> = { readonly [Member in keyof Sum]-?: Form<NonNullable<Sum[Member]>> };

export const EMPTY: Uint8Array = new Uint8Array();

/** The object of the member that is there. @throws LedgerError where there is none */
export function objectOf<Sum extends object>(
  decoder: ExpressionDecoder,
  sum: Sum,
  forms: Forms<Sum>,
  name: string,
): ScalaPart {
  for (const member of Object.keys(forms) as (keyof Sum)[]) {
    const value = sum[member];
    if (value !== undefined && value !== null) return forms[member](decoder, value);
  }
  throw parseError(`${name}.SUM_NOT_SET`);
}

/** @param spec the message that they are members of */
export function formsByNumber<Sum>(
  forms: Forms<Sum>,
  spec: { readonly [Member in keyof Sum]: readonly [number: number, kind: string] },
): readonly (Form<never> | undefined)[] {
  const byNumber: Form<never>[] = [];
  for (const member of Object.keys(forms) as (keyof Sum)[])
    byNumber[spec[member][0]] = forms[member];
  return byNumber;
}
