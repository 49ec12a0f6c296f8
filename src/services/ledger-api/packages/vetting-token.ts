/** Page tokens of the list of vetted packages: URL-safe base64 of a message with the last pair of the page. */
import { uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import { withoutTrailing } from '../../../daml/model/scans.js';
import { message, plain, text } from '../../../network/protobuf/messages.js';
import type { VettedPosition } from '../../../network/vetting/vetted-packages.js';
import { protoDeserializationFailure } from '../formats/requests.js';

const Position = message<VettedPosition>({
  synchronizerId: plain(1, text),
  participantId: plain(2, text),
});

export function writeVettingToken(position: VettedPosition): string {
  const token = Buffer.from(Position.encode(position)).toString('base64');
  return token.replace(/\+/g, '-').replace(/\//g, '_');
}

/** @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
export function readVettingToken(token: string): VettedPosition {
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(token) || withoutTrailing(token, '=').length % 4 === 1)
    throw invalid('Failed base64 decoding');
  const position = decoded(token);
  for (const [what, id] of Object.entries(position)) {
    const error = uniqueIdentifierError(id);
    const named = what === 'synchronizerId' ? 'synchronizer' : 'participant';
    if (error !== undefined) throw invalid(`Couldn't extract token's ${named} ID: ${error}`);
  }
  return position;
}

function decoded(token: string): VettedPosition {
  try {
    return Position.decode(Buffer.from(token, 'base64url'));
  } catch {
    throw invalid('Failed proto decoding');
  }
}

function invalid(reason: string) {
  return protoDeserializationFailure(
    `ValueConversionError(page_token,Invalid page token for ListVettedPackagesRequest: ${reason})`,
  );
}
