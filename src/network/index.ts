/** The network's exports for tests of other folders. The folders themselves import each other's files. */
export type { UserRight } from './administration/user-rights.js';
export { submitReassignment } from './commands/reassign.js';
export { submit } from './commands/submit.js';
export type { SynchronizerId } from './model/ids.js';
export { namespaceOfOwners } from './model/keys.js';
export { acceptedNow } from './ledger/in-flight.js';
export type { Network, NetworkOptions } from './network.js';
export { openNetwork } from './open.js';
export type { Participant } from './participant.js';
export { PROTOCOLS } from './model/protocol.js';
export type { FieldDefinition } from './protobuf/definitions/definitions.js';
export { definitionsOf } from './protobuf/definitions/releases.js';
export { negativeOffset, nonPositiveOffset } from './model/request-errors.js';
export { witnessesOf } from './routing/visibility.js';
export type { ReassignmentCommand, Submission } from './submission/submission.js';
export type { ReassignmentUpdate, TransactionUpdate } from './model/updates.js';
export { addPackages } from './vetting/upload.js';
export { multiHash } from './topology/party-hosting.js';
