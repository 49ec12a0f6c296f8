export { createCanticle, startCanticle, type CanticleOptions, type StartOptions } from './start.js';
export { type Canticle, type CanticleUrls } from './canticle.js';
export { type IssuerOptions, type TokenRequest } from './http/auth/issuer.js';
export { type AuthOptions, type AuthService } from './http/auth/options.js';
export { type CheckpointDelays } from './http/streams/checkpoints.js';
export { type OpenStream } from './http/streams/streams.js';
export { type InProcessAnswer, type InProcessRequest } from './http/in-process.js';
export {
  type JournalEntry,
  type JournalFilter,
  type RequestJournal,
} from './http/request-journal.js';
export { type ActiveContract } from './scenario/active-contract.js';
export { type ExerciseResult } from './scenario/exercised.js';
export {
  type MoveOptions,
  type ParticipantView,
  type SubmitOptions,
} from './scenario/participant-view.js';
export { type Scenario } from './scenario/builder.js';
export { ExpectationFailed, ScenarioError } from './scenario/faults.js';
export {
  type Amulet,
  type AmuletContext,
  type AmuletOptions,
  type PreapprovalOptions,
} from './scenario/amulet.js';
export { type TransferOutcome, type TransferRequest } from './scenario/standard-token.js';
export { type TestToken } from './scenario/test-token.js';
export {
  type ExplainedAction,
  type ExplainedSubmission,
  type Explanation,
  type ExplanationJson,
} from './daml/explanation/explanation.js';
export { type ChoiceCoverage, type CoverageScope } from './network/choice-coverage.js';
export { coverageText, mergedCoverage, type CoverageReport } from './network/coverage-report.js';
export { type Duration } from './network/time-texts.js';
export { LedgerError, type LedgerErrorDetails } from './daml/ledger-error.js';
export {
  DefinitionError,
  InterfaceDefinition,
  RelTime,
  TemplateDefinition,
  Type,
  Update,
  VariantType,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  methods,
  setOf,
  tuple2,
  type ChoiceDefinition,
  type ChoiceMaker,
  type ChoiceSpec,
  type Constructors,
  type FailureOptions,
  type Fields,
  type ImplementationSpec,
  type InterfaceReference,
  type InterfaceSelf,
  type InterfaceSpec,
  type KeySpec,
  type KeyedReference,
  type PackageSpec,
  type RecordOf,
  type Self,
  type TemplateReference,
  type TemplateSpec,
  type ValueOf,
  type VariantOf,
} from './daml/define.js';
export { some } from './daml/values.js';
