/** One exchange of an operation as a running world gave it: for whoever fakes a single call, and needs no ledger behind it. */
export { fixture, type Fixture, type FixtureId, type FixtureRequest } from './messages/fixture.js';
export type { RecordedStream } from '../spec/message-fixture.js';
