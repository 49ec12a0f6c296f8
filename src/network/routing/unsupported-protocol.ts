/** Finds transactions that the protocol version of a synchronizer cannot carry (B-RSG-034). */
import { SERIALIZATION_VERSIONS, serializationName } from '../../daml/codec/protobuf/fields.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { SynchronizerId } from '../model/ids.js';
import { PROTOCOL_VERSIONS, PROTOCOLS, type ProtocolVersion } from '../model/protocol.js';
import { serializationVersionOf } from '../model/serialization-version.js';
import type { Ledger } from '../ledger/ledger.js';

/** The reason why the synchronizer cannot carry it, in Canton's words; undefined if it can. */
export function unsupported(
  ledger: Ledger,
  transaction: Transaction,
  at: SynchronizerId,
): string | undefined {
  const { serializationVersions, version } = ledger.protocolOf(at);
  if (serializationVersions.length === SERIALIZATION_VERSIONS.length) return undefined;
  const needed = serializationVersionOf(transaction);
  return serializationVersions.includes(needed) ? undefined : textOf(ledger, at, version, needed);
}

function textOf(
  ledger: Ledger,
  at: SynchronizerId,
  version: ProtocolVersion,
  needed: string,
): string {
  const minimum = PROTOCOL_VERSIONS.find((each) =>
    PROTOCOLS[each].serializationVersions.includes(needed),
  )!;
  return (
    `The transaction uses a specific LF version ${serializationName(needed)} that is supported starting protocol version: ${minimum}. ` +
    `Currently the synchronizer ${ledger.synchronizer(at)!.printedId} is using ${version}.`
  );
}
