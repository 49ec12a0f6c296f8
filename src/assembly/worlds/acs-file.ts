/** Reads the file of active contracts that a participant exported (Canton's ExportAcs), as far as possible without their packages. */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { EXPORT_VERSION } from '../../network/reading/acs-export.js';
import { exportedIn, type ExportedActiveContract } from '../../network/reading/acs-import.js';

/** @param bytes uncompressed @throws Error whose message ends a sentence */
export function exportedFrom(bytes: Uint8Array): readonly ExportedActiveContract[] {
  let exported: readonly ExportedActiveContract[];
  try {
    exported = exportedIn(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new Error(`it is damaged, or not an export of active contracts: ${error.message}`);
  }
  const later = exported.find(({ version }) => version !== EXPORT_VERSION);
  if (later !== undefined)
    throw new Error(
      `its contracts have version ${later.version} of the format, but this Canticle reads only version ${EXPORT_VERSION}`,
    );
  const seen = new Set<string>();
  for (const { contractId, synchronizerId } of exported) {
    if (seen.has(contractId)) throw new Error(`it has contract ${contractId} twice`);
    seen.add(contractId);
    const error = uniqueIdentifierError(synchronizerId);
    if (error !== undefined) throw new Error(`it is damaged: ${error}`);
  }
  return exported;
}
