/**
 * Canticle, an in-memory Canton Network for tests. {@link startCanticle} starts an instance and listens on a port;
 * {@link createCanticle} creates one that you call in this process. In a test file, use the module of your test runner instead.
 *
 * @module
 */
export { createCanticle, startCanticle } from './assembly/start.js';
export type { CanticleOptions, StartOptions } from './assembly/canticle-options.js';
export type { CanticleUrls } from './assembly/addresses.js';
export type { Canticle } from './assembly/canticle.js';
export type {
  FaultAction,
  FaultCall,
  FaultCondition,
  FaultHandler,
  FaultRule,
  GivenAnswer,
} from './network/faults/fault-rule.js';
export type { OperationId } from './spec/operation-id.js';
export type { FaultHandle, Faults, FaultState } from './network/faults/faults.js';
export { startLocalnet } from './assembly/localnet/start-localnet.js';
export type { LocalnetOptions } from './assembly/localnet/localnet-options.js';
export type {
  Localnet,
  LocalnetNode,
  LocalnetPort,
  LocalnetUrls,
} from './assembly/localnet/localnet.js';
export type { IssuerOptions, TokenRequest } from './http/issuer.js';
export type { AuthOptions, AuthService } from './services/authorization/options.js';
export type { CheckpointDelays } from './services/streams/checkpoints.js';
export type { OpenStream } from './http/streams/streams.js';
export type { InProcessAnswer, InProcessRequest } from './http/in-process/handle.js';
export type {
  InProcessWebSocket,
  InProcessWebSocketListener,
  InProcessWebSocketRequest,
} from './http/in-process/web-socket.js';
export type { JournalEntry, JournalFilter, RequestJournal } from './services/request-journal.js';
export type { Pqs, PqsOptions, SqlResult } from './assembly/pqs/pqs-options.js';
export type { WalletGatewayOptions } from './assembly/wallet-gateway/gateway-options.js';
export type {
  ApproveOptions,
  DecidedRequest,
  RejectOptions,
  WalletAccount,
  WalletControl,
  WalletRequest,
  WalletSession,
} from './services/wallet-control.js';
export type { ActiveContract } from './wallet/active-contract.js';
export type { ExerciseResult } from './wallet/exercised.js';
export type { MoveOptions } from './wallet/moves.js';
export type { ParticipantView } from './wallet/participant-view.js';
export type { SubmitOptions } from './wallet/submit-options.js';
export type { ContractOf, TemplateName } from './wallet/typed.js';
export type { Daml } from './daml/model/daml.js';
export type { InitScript, ScriptOptions } from './assembly/run-script.js';
export { ScriptFailed } from './script/failures.js';
export type { Scenario } from './scenario/builder.js';
export { ExpectationFailed } from './scenario/faults.js';
export { ScenarioError } from './wallet/scenario-error.js';
export type { Amulet, AmuletContext, AmuletOptions, PreapprovalOptions } from './wallet/amulet.js';
export type { TransferOutcome, TransferRequest } from './wallet/standard-token.js';
export type { TestToken } from './wallet/test-token.js';
export type {
  ExplainedAction,
  ExplainedSubmission,
  Explanation,
  ExplanationJson,
} from './daml/errors/explanation.js';
export type { ChoiceCoverage, CoverageScope } from './network/coverage/choice-coverage.js';
export { coveragePicture } from './network/coverage/coverage-picture.js';
export { lcovText, type FileCoverage, type FunctionCount } from './network/coverage/line-report.js';
export {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from './network/coverage/coverage-report.js';
export { diffTraces, type TraceChange, type TraceFieldChange } from './daml/tracing/trace-diff.js';
export { flameGraph, sequenceDiagram } from './daml/tracing/trace-pictures.js';
export { traceText } from './daml/tracing/trace-text.js';
export type {
  PlacedBy,
  TraceAuthority,
  TraceCall,
  TraceNode,
  TraceNodeKind,
  TraceSubmission,
  TraceUpdate,
  TraceWitness,
  TransactionTrace,
  WitnessReason,
} from './daml/tracing/trace-types.js';
export type { ContractOverride } from './network/simulation/overrides.js';
export type {
  MissingAuthority,
  SimulatedContract,
  SimulatedCost,
  SimulatedOutcome,
  SimulatedRefusal,
  SimulatedResult,
  SimulatedStep,
  SimulatedWitness,
  Simulation,
} from './network/simulation/simulation-types.js';
export type { Simulated, SimulatedSubmission, SimulateOptions } from './assembly/simulation.js';
export type { ProfiledFunction, StepProfile } from './daml/tracing/step-profile.js';
export type { SubmissionIds } from './network/tracing/find-submission.js';
export type { PreparedMessage } from './network/tracing/trace-prepared.js';
export type { Traced } from './network/tracing/traced.js';
export type { Duration } from './network/model/time-texts.js';
export { LedgerError, type LedgerErrorDetails } from './daml/errors/ledger-error.js';
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
  type DefinedInterface,
  type DefinedTemplate,
  type FailureOptions,
  type Fields,
  type ImplementationSpec,
  type InterfaceReference,
  type InterfaceSelf,
  type InterfaceSpec,
  type JsonOf,
  type KeySpec,
  type KeyedReference,
  type PackageSpec,
  type RecordOf,
  type Self,
  type TemplateReference,
  type TemplateSpec,
  type ValueOf,
  type VariantOf,
} from './daml/define/index.js';
export { quickstartPackage } from './daml/define/quickstart.js';
export { Numeric, type NumericLike } from './daml/model/numeric.js';
export { some } from './daml/model/values.js';
