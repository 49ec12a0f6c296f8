/** Page tokens of the list of vetted packages: URL-safe base64 of a message with the pair that a page ended with. */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { uniqueIdentifierFault } from '../../../daml/model/identifiers.js';
import { withoutTrailing } from '../../../daml/model/scans.js';
import type { VettedPosition } from '../../../network/vetting/vetted-packages.js';
import { protoDeserializationFailure } from '../formats/requests.js';

const FIELDS = { synchronizerId: 1, participantId: 2 } as const;

export function writeVettingToken({ synchronizerId, participantId }: VettedPosition): string {
  const writer = new BinaryWriter();
  writer.tag(FIELDS.synchronizerId, WireType.LengthDelimited).string(synchronizerId);
  writer.tag(FIELDS.participantId, WireType.LengthDelimited).string(participantId);
  const text = Buffer.from(writer.finish()).toString('base64');
  return text.replace(/\+/g, '-').replace(/\//g, '_');
}

/** @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
export function readVettingToken(token: string): VettedPosition {
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(token) || withoutTrailing(token, '=').length % 4 === 1)
    throw invalid('Failed base64 decoding');
  const position = { synchronizerId: '', participantId: '' };
  try {
    const reader = new BinaryReader(Buffer.from(token, 'base64url'));
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (wireType !== WireType.LengthDelimited) reader.skip(wireType, field);
      else if (field === FIELDS.synchronizerId) position.synchronizerId = reader.string();
      else if (field === FIELDS.participantId) position.participantId = reader.string();
      else reader.skip(wireType, field);
    }
  } catch {
    throw invalid('Failed proto decoding');
  }
  for (const [what, id] of Object.entries(position)) {
    const fault = uniqueIdentifierFault(id);
    const named = what === 'synchronizerId' ? 'synchronizer' : 'participant';
    if (fault !== undefined) throw invalid(`Couldn't extract token's ${named} ID: ${fault}`);
  }
  return position;
}

function invalid(reason: string) {
  return protoDeserializationFailure(
    `ValueConversionError(page_token,Invalid page token for ListVettedPackagesRequest: ${reason})`,
  );
}
