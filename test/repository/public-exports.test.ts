/** The public names of the package, values and types alike. A name that comes or goes is a decision: it shows here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as canticle from '../../src/index.js';

const index = join(__dirname, '..', '..', 'src', 'index.ts');

/** The names in `export { … } from` lines. The index may contain only exports, so that it is a readable list. */
function exportedNames(): { name: string; isType: boolean }[] {
  const source = ts.createSourceFile(index, readFileSync(index, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) return unlisted(statement);
    if (!ts.isNamedExports(statement.exportClause)) return unlisted(statement);
    return statement.exportClause.elements.map((element) => ({
      name: element.name.text,
      isType: statement.isTypeOnly || element.isTypeOnly,
    }));
  });
}

function unlisted(statement: ts.Statement): never {
  throw new Error(
    `src/index.ts holds only lists of exports, and not a ${ts.SyntaxKind[statement.kind]}`,
  );
}

const names = (isType: boolean) =>
  exportedNames()
    .filter((entry) => entry.isType === isType)
    .map(({ name }) => name)
    .sort();

it('exports these values', () => {
  expect(Object.keys(canticle).sort()).toEqual(names(false));
  expect(names(false)).toMatchInlineSnapshot(`
[
  "DefinitionError",
  "ExpectationFailed",
  "InterfaceDefinition",
  "LedgerError",
  "Numeric",
  "RelTime",
  "ScenarioError",
  "ScriptFailed",
  "TemplateDefinition",
  "Type",
  "Update",
  "VariantType",
  "coveragePicture",
  "coverageText",
  "createCanticle",
  "d",
  "defineInterface",
  "definePackage",
  "defineTemplate",
  "diffTraces",
  "flameGraph",
  "lcovText",
  "mergedCoverage",
  "methods",
  "quickstartPackage",
  "sequenceDiagram",
  "setOf",
  "some",
  "startCanticle",
  "startLocalnet",
  "traceText",
  "tuple2",
]
`);
});

it('exports these types', () => {
  expect(names(true)).toMatchInlineSnapshot(`
[
  "ActiveContract",
  "Amulet",
  "AmuletContext",
  "AmuletOptions",
  "ApproveOptions",
  "AuthOptions",
  "AuthService",
  "Canticle",
  "CanticleOptions",
  "CanticleUrls",
  "CheckpointDelays",
  "ChoiceCoverage",
  "ChoiceDefinition",
  "ChoiceMaker",
  "ChoiceSpec",
  "Constructors",
  "ContractOf",
  "ContractOverride",
  "CoverageReport",
  "CoverageScope",
  "Daml",
  "DecidedRequest",
  "DefinedInterface",
  "DefinedTemplate",
  "Duration",
  "ExerciseResult",
  "ExplainedAction",
  "ExplainedSubmission",
  "Explanation",
  "ExplanationJson",
  "FailureOptions",
  "FaultAction",
  "FaultCall",
  "FaultCondition",
  "FaultHandle",
  "FaultHandler",
  "FaultRule",
  "FaultState",
  "Faults",
  "Fields",
  "FileCoverage",
  "FunctionCount",
  "GivenAnswer",
  "ImplementationSpec",
  "InProcessAnswer",
  "InProcessRequest",
  "InProcessWebSocket",
  "InProcessWebSocketListener",
  "InProcessWebSocketRequest",
  "InitScript",
  "InterfaceReference",
  "InterfaceSelf",
  "InterfaceSpec",
  "IssuerOptions",
  "JournalEntry",
  "JournalFilter",
  "JsonOf",
  "KeySpec",
  "KeyedReference",
  "LedgerErrorDetails",
  "Localnet",
  "LocalnetNode",
  "LocalnetOptions",
  "LocalnetPort",
  "LocalnetUrls",
  "MissingAuthority",
  "MoveOptions",
  "NumericLike",
  "OpenStream",
  "OperationId",
  "PackageSpec",
  "ParticipantView",
  "PlacedBy",
  "Pqs",
  "PqsOptions",
  "PreapprovalOptions",
  "PreparedMessage",
  "ProfiledFunction",
  "RecordOf",
  "RejectOptions",
  "RequestJournal",
  "Scenario",
  "ScriptOptions",
  "Self",
  "SimulateOptions",
  "Simulated",
  "SimulatedContract",
  "SimulatedCost",
  "SimulatedOutcome",
  "SimulatedRefusal",
  "SimulatedResult",
  "SimulatedStep",
  "SimulatedSubmission",
  "SimulatedWitness",
  "Simulation",
  "SqlResult",
  "StartOptions",
  "StepProfile",
  "SubmissionIds",
  "SubmitOptions",
  "TemplateName",
  "TemplateReference",
  "TemplateSpec",
  "TestToken",
  "TokenRequest",
  "TraceAuthority",
  "TraceCall",
  "TraceChange",
  "TraceFieldChange",
  "TraceNode",
  "TraceNodeKind",
  "TraceSubmission",
  "TraceUpdate",
  "TraceWitness",
  "Traced",
  "TransactionTrace",
  "TransferOutcome",
  "TransferRequest",
  "ValueOf",
  "VariantOf",
  "WalletAccount",
  "WalletControl",
  "WalletGatewayOptions",
  "WalletRequest",
  "WalletSession",
  "WitnessReason",
]
`);
});
