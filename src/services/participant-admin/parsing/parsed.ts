/**
 * Methods of the admin API in two steps, as on a participant: the request is parsed in full, and parse errors come
 * before any lookup.
 */
import { protoDeserializationFailure } from '../../ledger-api/formats/requests.js';
import { PlainRefusal } from '../not-served.js';
import type { AdminContext } from '../admin-context.js';
import { ConversionError } from './conversion.js';

/** Converts a parse error to the error of a service. */
export type Refused = (error: ConversionError) => Error;

/** The form of most services. */
const asDeserializationFailure: Refused = ({ printed }) => protoDeserializationFailure(printed);

const INVALID_ARGUMENT = 3;

/** For services that answer with only a status: without Canton's code and details. */
export const invalidArgumentAlone = (message: string): PlainRefusal =>
  new PlainRefusal(INVALID_ARGUMENT, message);

/** @param read must need only the message */
export const parsed =
  <M, R, A extends object>(
    read: (message: M, supported: readonly number[]) => R,
    act: (context: AdminContext, request: R) => A,
    refused = asDeserializationFailure,
  ) =>
  (context: AdminContext, message: M): A =>
    act(
      context,
      reading(() => read(message, context.participant.protocolVersions), refused),
    );

/** Like {@link parsed}, for a part of a request that is read later. */
export function reading<R>(read: () => R, refused = asDeserializationFailure): R {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConversionError ? refused(error) : error;
  }
}
