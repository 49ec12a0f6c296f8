/**
 * Typed examples of each operation: a request and its response for each status, recorded from a running instance. Use a fixture to
 * fake a single call. To test several calls, start an instance.
 *
 * @module
 */
export { fixture, type Fixture, type FixtureId, type FixtureRequest } from './messages/fixture.js';
export type { RecordedStream } from '../spec/message-fixture.js';
