/** A Ledger API as scripts ask it. Whoever starts a script hands in how a request travels. */
import { ask, ClientError, drive, type Asking, type Send } from '../../client/asking.js';
import { decodeValue, encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import { ScriptRefusal } from '../failures.js';

/** How Daml values stand in what is sent, and in what comes back. */
export interface RemoteValues {
  readonly write: (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;
  /** Of a record where there is room for nothing else: payloads. */
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

  /** @throws LedgerError for what the ledger refuses, ScriptRefusal for what is no answer of one */
  async run<T>(asking: Asking<T>): Promise<T> {
    try {
      return await drive(asking, this.send);
    } catch (error) {
      throw error instanceof ClientError ? new ScriptRefusal(error.message) : error;
    }
  }

  readonly ask = (...[operation, given]: Parameters<typeof ask>) => this.run(ask(operation, given));

  /** The same for what may be refused with one of the codes: undefined then. @throws ScriptRefusal for all else */
  async unless<T>(codes: readonly string[], asking: Asking<T>): Promise<T | undefined> {
    try {
      return await this.run(asking);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      if (codes.includes(error.code)) return undefined;
      throw new ScriptRefusal(error.message, 'StatusRuntimeException', error);
    }
  }
}
