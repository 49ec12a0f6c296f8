/** A Ledger API for scripts. The caller that starts a script passes the function that sends requests. */
import { call, ClientError, drive, type Requests, type Send } from '../../client/requests.js';
import { decodeValue, encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import { ScriptRefusal } from '../failures.js';

/** The form of Daml values in requests and answers. */
export interface RemoteValues {
  readonly write: (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;
  /** Writes a record for a field that takes only records: a payload. */
  readonly record: (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;
  readonly read: (packages: PackageLookup, type: DamlType, given: unknown) => DamlValue;
}

export const JSON_VALUES: RemoteValues = {
  write: encodeValue,
  record: encodeValue,
  read: decodeValue,
};

export class RemoteApi {
  constructor(private readonly send: Send) {}

  /** @throws LedgerError for errors of the ledger, ScriptRefusal for answers that are not from a ledger */
  async run<T>(requests: Requests<T>): Promise<T> {
    try {
      return await drive(requests, this.send);
    } catch (error) {
      throw error instanceof ClientError ? new ScriptRefusal(error.message) : error;
    }
  }

  readonly request = (...[operation, given]: Parameters<typeof call>) =>
    this.run(call(operation, given));

  /**
   * Like {@link run}, but returns undefined for an error with one of the codes.
   * @throws ScriptRefusal for other errors
   */
  async unless<T>(codes: readonly string[], requests: Requests<T>): Promise<T | undefined> {
    try {
      return await this.run(requests);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      if (codes.includes(error.code)) return undefined;
      throw new ScriptRefusal(error.message, 'StatusRuntimeException', error);
    }
  }
}
