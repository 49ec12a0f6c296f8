/** Fields of topology mappings, as Canton reads them. Each throws a ProtobufError. */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { partyError, uniqueIdentifierError } from '../../daml/model/identifiers.js';

export const notSet = (field: string): ProtobufError =>
  new ProtobufError(`Field \`${field}\` is not set`);

function requireConvertible(field: string, error: string | undefined): void {
  if (error !== undefined)
    throw new ProtobufError(`Unable to convert field \`${field}\`: ${error}`);
}

export function requireParty(party: string): void {
  requireConvertible('party', partyError(party) ?? uniqueIdentifierError(party));
}

export function requireUid(field: string, uid: string): void {
  requireConvertible(field, uniqueIdentifierError(uid));
}

/** A code of three letters, and behind it the id of a node. */
export function requireMember(member: string): void {
  const code = member.slice(0, 3);
  if (member.slice(3, 5) !== '::')
    requireConvertible('member', `Expected delimiter :: after three letter code of \`${member}\``);
  if (!['PAR', 'SEQ', 'MED'].includes(code))
    requireConvertible('member', `Unknown three letter type ${code}`);
  requireUid('member', member.slice(5));
}

/** @param given as protobuf's integers of 32 bits are on the JVM */
export function requirePositive(field: string, given: number): void {
  if ((given | 0) <= 0)
    throw new ProtobufError(
      `Invariant violation in field \`${field}\`: Received the non-positive ${given | 0} as argument, but we require a positive value here.`,
    );
}
