// The ledger rules to mutate, their files, and the suites that test them: fast suites about the rule.
const NETWORK = 'src/network';
const INTERPRETER = 'src/daml/interpreter';
const API = 'test/services/ledger-api';

export const RULES = {
  'rows of SQL': {
    files: ['src/pqs/writing', 'src/pqs/schema/columns.ts', 'src/pqs/schema/migrations.ts'],
    tests: ['test/pqs/histories.test.ts', 'test/pqs/rows.test.ts', 'test/pqs/functions.test.ts'],
  },
  'databases of SQL': {
    files: [
      'src/pqs/databases.ts',
      'src/pqs/open-server-store.ts',
      'src/pqs/open-store.ts',
      'src/pqs/optional-packages.ts',
      'src/pqs/pglite-data.ts',
      'src/pqs/pglite-store.ts',
      'src/pqs/server-store.ts',
      'src/pqs/tar.ts',
      'src/assembly/pqs',
    ],
    tests: ['test/pqs/databases.test.ts', 'test/pqs/server.test.ts', 'test/pqs/hostile.test.ts'],
  },
  "PostgreSQL's protocol": {
    files: ['src/pqs/wire'],
    tests: [
      'test/pqs/wire/sessions.test.ts',
      'test/pqs/wire/bytes.test.ts',
      'test/pqs/wire/command-line.test.ts',
    ],
  },
  quickstart: {
    files: ['src/assembly/localnet/quickstart.ts', 'src/cli/localnet/quickstart-file.ts'],
    tests: ['test/localnet/quickstart', 'test/cli/quickstart'],
  },
  'canticle sql': {
    files: ['src/cli/show-sql.ts', 'src/services/control/sql.ts'],
    tests: ['test/cli/sql'],
  },
  'scenario verbs of the wallet': {
    files: [
      'src/scenario/verbs/dapp-wallet.ts',
      'src/wallet/dapp-wallet.ts',
      'src/assembly/wallet-gateway/dapp-wallet-of.ts',
    ],
    tests: ['test/scenario/dapp-wallet.test.ts', 'test/services/wallet-gateway/control.test.ts'],
  },
  'replacements of Node in browsers': {
    files: ['src/browser/platform'],
    tests: ['test/browser/platform.test.ts'],
  },
  'WebSockets in memory': {
    files: ['src/http/in-process/memory-web-socket.ts'],
    tests: ['test/http/streams/memory-web-socket.test.ts'],
  },
  'parts of the code in browsers': {
    files: [
      'src/browser/parts.ts',
      'src/browser/options.ts',
      'src/browser/browser-canticle.ts',
      'src/browser.ts',
    ],
    tests: ['test/browser/instance.test.ts'],
  },
  'loader of packs in browsers': {
    files: ['src/browser/loading'],
    tests: ['test/browser/loader.test.ts'],
  },
  'methods of the wallet gateway': {
    files: ['src/services/wallet-gateway'],
    tests: ['test/services/wallet-gateway', 'test/scenario/dapp-wallet.test.ts'],
  },
  'transport of the wallet gateway': {
    files: ['src/http/wallet-gateway', 'src/services/calls/gateway-faults.ts'],
    tests: ['test/http/wallet-gateway', 'test/services/wallet-gateway'],
  },
  'schemas of the wallet gateway': {
    files: ['src/spec/wallet-gateway'],
    tests: ['test/spec/openrpc-documents.test.ts', 'test/services/wallet-gateway/dapp-api.test.ts'],
  },
  'the wallet gateway of an instance': {
    files: ['src/assembly/wallet-gateway', 'src/services/control/wallet.ts'],
    tests: [
      'test/cli/wallet-gateway',
      'test/http/wallet-gateway/pages.test.ts',
      'test/localnet/wallet-gateway.test.ts',
      'test/services/wallet-gateway/control.test.ts',
      'test/services/wallet-gateway/user-api.test.ts',
      'test/services/wallet-gateway/published-clients.test.ts',
    ],
  },
  'external calls': {
    files: [
      'src/network/extensions',
      'src/assembly/extensions',
      'src/services/calls/waiting-calls.ts',
    ],
    tests: [
      'test/multi/external-calls.test.ts',
      'test/multi/external-services.test.ts',
      'test/network/external-call-conflicts.test.ts',
      'test/network/external/hash-v4.test.ts',
    ],
  },
  'protocol versions': {
    files: [
      'src/network/model/protocol.ts',
      'src/network/model/serialization-version.ts',
      'src/network/routing/interpretation-protocol.ts',
      'src/network/routing/unsupported-protocol.ts',
    ],
    tests: [
      'test/multi/mixed-protocols.test.ts',
      'test/multi/external-calls.test.ts',
      'test/multi/vetting-confirmed.test.ts',
      'test/network/external/contract-keys.test.ts',
      'test/network/external/interactive-submission.test.ts',
      'test/network/external/rolled-back.test.ts',
      'test/network/traffic/costs.test.ts',
      'test/network/traffic/views.test.ts',
      'test/services/ledger-api/packages/package-languages.test.ts',
      'test/services/ledger-api/protocol-34.test.ts',
      'test/services/ledger-api/protocol-36.test.ts',
    ],
  },
  'verdicts on vetting and limits': {
    files: ['src/network/routing/vetting-verdict.ts', 'src/network/routing/limit-verdict.ts'],
    tests: ['test/multi/vetting-confirmed.test.ts', 'test/services/ledger-api/protocol-36.test.ts'],
  },
  'carrying of documents': {
    files: ['src/spec/carrying', 'src/spec/loading/differences.ts'],
    tests: ['test/spec/carrying.test.ts', 'test/spec/fact-differences.test.ts'],
  },
  'previews of the registry': {
    files: [
      'src/token/previews',
      'src/services/registry/traffic-purchase.ts',
      'src/services/registry/conditional-lock.ts',
      'src/spec/registry',
    ],
    tests: [
      'test/services/registry/previews',
      'test/services/registry/metadata.test.ts',
      'test/spec/registry-previews.test.ts',
    ],
  },
  'documents of the user': {
    files: ['src/assembly/releases/own-documents.ts'],
    tests: ['test/services/ledger-api/own-documents.test.ts'],
  },
  'completeness of releases': {
    files: [
      'src/spec/releases/completeness.ts',
      'src/spec/releases/splice-completeness.ts',
      'src/spec/releases/release-facts.ts',
    ],
    tests: ['test/cli/releases.test.ts'],
  },
  "the machine's clock": {
    files: ['src/assembly/machine-clock.ts'],
    tests: ['test/assembly/machine-clock.test.ts', 'test/http/lifecycle.test.ts'],
  },
  'releases of Splice': {
    files: ['src/spec/api.ts', 'src/spec/splice/facts.ts', 'src/spec/splice/spoken.ts'],
    tests: [
      'test/spec/splice-releases.test.ts',
      'test/multi/releases/splice-documents.test.ts',
      'test/spec/registry-previews.test.ts',
    ],
  },
  'packages of a LocalNet': {
    files: ['src/assembly/localnet/splice-dars.ts', 'src/cli/localnet/dars.ts'],
    tests: ['test/cli/localnet-commands.test.ts'],
  },
  'fields that a Scan knows': {
    files: ['src/splice/scan/scan-json.ts'],
    tests: ['test/multi/releases/later-fields.test.ts', 'test/services/scan/known-records.test.ts'],
  },
  'gRPC by release': {
    files: [
      'src/network/protobuf/definitions/definitions.ts',
      'src/network/protobuf/definitions/releases.ts',
      'src/grpc/messages/fields.ts',
      'src/grpc/messages/codec.ts',
      'src/grpc/standard/reflection.ts',
      'src/grpc/admin-port.ts',
      'src/network/commands/import-contracts.ts',
      'src/services/participant-admin/acs-import.ts',
    ],
    tests: [
      'test/grpc/releases/methods.test.ts',
      'test/grpc/releases/fields.test.ts',
      'test/grpc/releases/admin.test.ts',
      'test/grpc/wire/messages.test.ts',
      'test/grpc/wire/reflection.test.ts',
      'test/grpc/wire/server.test.ts',
      'test/grpc/acs-import.test.ts',
      'test/grpc/admin-requests.test.ts',
    ],
  },
  'rewards by traffic': {
    files: ['src/splice/scan/app-activity.ts', 'src/splice/automation/traffic-rewards.ts'],
    tests: [
      'test/splice/dso/traffic-rewards.test.ts',
      'test/splice/rewards.test.ts',
      'test/splice/activity-weights.test.ts',
    ],
  },
  'rewards of a round': {
    files: ['src/splice/rewards/round-rewards.ts'],
    tests: ['test/splice/round-rewards.test.ts'],
  },
  'wallet in pages': {
    files: [
      'src/provider/announce.ts',
      'src/provider/emitter.ts',
      'src/provider/gateway-client.ts',
      'src/provider/http-link.ts',
      'src/provider/in-process-link.ts',
      'src/provider/install.ts',
      'src/provider/provider.ts',
      'src/provider/rpc-error.ts',
      'src/provider/server-events.ts',
    ],
    tests: ['test/provider'],
  },
  'tests of each release': {
    files: ['src/testing/runner/each-release.ts', 'src/testing/runner/in-jest.ts'],
    tests: ['test/testing/releases/in-jest.test.ts'],
  },
  'counts of the processes of a run': {
    files: ['src/testing/runner/count-files.ts'],
    tests: ['test/testing/runner/count-files.test.ts'],
  },
  'facts of privacy': {
    files: ['src/network/privacy', 'src/assembly/recorded', 'src/cli/privacy/privacy.ts'],
    tests: ['test/network/privacy', 'test/assembly/recorded-facts.test.ts', 'test/cli/privacy'],
  },
  'costs of a run': {
    files: [
      'src/network/budgets',
      'src/cli/traffic/traffic.ts',
      'src/testing/measuring/measure.ts',
    ],
    tests: ['test/network/budgets', 'test/cli/traffic', 'test/testing/measuring'],
  },
  'matchers on privacy': {
    files: [
      'src/testing/matchers/privacy-matchers.ts',
      'src/testing/matchers/seen.ts',
      'src/testing/measuring/privacy-snapshot.ts',
    ],
    tests: ['test/testing/privacy'],
  },
  rehearsals: {
    files: [
      'src/assembly/rehearsal/exchange-file.ts',
      'src/bridge/read-run.ts',
      'src/cli/rehearse/report.ts',
      'src/recording/rehearsal/calls.ts',
      'src/recording/rehearsal/compare-calls.ts',
      'src/recording/rehearsal/findings.ts',
      'src/services/calls/watched-calls.ts',
    ],
    tests: [
      'test/cli/rehearse/report.test.ts',
      'test/recording/rehearsal/comparison.test.ts',
      'test/recording/rehearsal/run-files.test.ts',
      'test/services/calls/watched-calls.test.ts',
    ],
  },
  'calls that the next release breaks': {
    files: ['src/spec/releases/upcoming-changes.ts', 'src/services/upcoming-calls.ts'],
    tests: [
      'test/services/ledger-api/upcoming-calls.test.ts',
      'test/spec/upcoming-changes.test.ts',
    ],
  },
  'proposed hostings': {
    files: [
      'src/network/topology/external-parties.ts',
      'src/network/external/consents.ts',
      'src/network/topology/topology-refusals.ts',
      'src/services/participant-admin/topology/hosting-store.ts',
      'src/services/participant-admin/topology/namespace-store.ts',
      'src/services/participant-admin/topology/proposals.ts',
      'src/services/participant-admin/topology/synchronizer-store.ts',
    ],
    tests: [
      'test/grpc/topology/hosting-proposals.test.ts',
      'test/grpc/topology/namespace-proposals.test.ts',
      'test/grpc/topology/party-keys.test.ts',
      'test/grpc/topology/topology-writes.test.ts',
      'test/network/external/interactive-submission.test.ts',
      'test/network/external/onboarding.test.ts',
      'test/network/external/several-participants.test.ts',
    ],
  },
  'safe hostings and trust certificates': {
    files: [
      'src/services/participant-admin/topology/party-safety.ts',
      'src/services/participant-admin/topology/certificate-store.ts',
      'src/network/administration/connections.ts',
      'src/network/reassignment/multi-synchronizer.ts',
    ],
    tests: [
      'test/grpc/topology/party-safety.test.ts',
      'test/grpc/topology/party-keys.test.ts',
      'test/grpc/topology/trust-certificates.test.ts',
      'test/multi/cut-off.test.ts',
    ],
  },
  'fault rules': {
    files: ['src/network/faults/check-rule.ts', 'src/network/faults/rule-values.ts'],
    tests: ['test/faults/over-http.test.ts', 'test/faults/entry-points.test.ts'],
  },
  suggestions: {
    files: ['src/daml/errors/edit-distance.ts'],
    tests: ['test/daml/errors/suggestions.test.ts', 'test/scenario/mistakes.test.ts'],
  },
  'archives of packages in TypeScript': {
    files: [
      'src/daml/writing/code.ts',
      'src/daml/writing/library-values.ts',
      'src/daml/writing/message.ts',
      'src/daml/writing/package-archive.ts',
      'src/daml/writing/tables.ts',
      'src/daml/define/method-types.ts',
      'src/daml/define/portable.ts',
    ],
    tests: ['test/network/served-packages.test.ts', 'test/daml/define/define.test.ts'],
  },
  'TLS of a LocalNet': {
    files: [
      'src/http/both-versions.ts',
      'src/services/connections.ts',
      'src/cli/localnet/requests.ts',
      'src/cli/localnet/certificate.ts',
      'src/cli/localnet/env.ts',
      'src/cli/localnet/where-flags.ts',
    ],
    tests: [
      'test/cli/localnet-answers.test.ts',
      'test/cli/localnet-commands.test.ts',
      'test/cli/localnet-tls.test.ts',
      'test/localnet/grpc.test.ts',
      'test/localnet/tls.test.ts',
      'test/services/connections.test.ts',
    ],
  },
  'pages of proxies': {
    files: ['src/bridge/proxy-guard.ts'],
    tests: ['test/cli/recording/record.test.ts', 'test/cli/recording/replay.test.ts'],
  },
  'pages of live lists': {
    files: ['src/client/paging.ts', 'src/assembly/fork/reading.ts'],
    tests: ['test/client/paging.test.ts', 'test/testing/forks/hostile-side.test.ts'],
  },
  'the client of other ledgers': {
    files: ['src/client/requests.ts', 'src/client/http-side.ts', 'src/client/stream-side.ts'],
    tests: [
      'test/client',
      'test/script/remote.test.ts',
      'test/testing/forks/live-side.test.ts',
      'test/cli/recording/verify.test.ts',
    ],
  },
  'shapes of what comes from outside': {
    files: ['src/spec/shapes.ts', 'src/daml/errors/printable.ts'],
    tests: [
      'test/spec/shapes.test.ts',
      'test/daml/errors/printable.test.ts',
      'test/cli/recording/hostile-har.test.ts',
      'test/testing/worlds.test.ts',
    ],
  },
  'requests that a failed test prints': {
    files: ['src/testing/runner/refused-requests.ts'],
    tests: ['test/testing/runner'],
  },
  'secrets of recordings': {
    files: [
      'src/recording/secret-json.ts',
      'src/recording/secret-names.ts',
      'src/recording/secret-texts.ts',
      'src/recording/secrets.ts',
    ],
    tests: [
      'test/cli/recording/secrets.test.ts',
      'test/recording/json-limits.test.ts',
      'test/cli/recording/record.test.ts',
    ],
  },
  'participants and synchronizers': {
    files: [
      `${NETWORK}/commands/move-inputs.ts`,
      `${NETWORK}/ledger/seen-nodes.ts`,
      `${NETWORK}/routing/package-passes.ts`,
    ],
    tests: [
      'test/multi/moved-inputs.test.ts',
      'test/multi/node-ids.test.ts',
      'test/multi/refused-routes.test.ts',
      `${API}/commands/reassignment.test.ts`,
      `${API}/packages/package-passes.test.ts`,
    ],
  },
  'contexts of errors': {
    files: [
      'src/daml/errors/logging-context.ts',
      `${NETWORK}/submission/submission-logging.ts`,
      `${NETWORK}/routing/rejection-report.ts`,
      'src/services/ledger-api/formats/format-logging.ts',
      'src/services/ledger-api/formats/grpc-status.ts',
      'src/services/ledger-api/formats/grpc-status-size.ts',
    ],
    tests: [
      `${API}/status-size.test.ts`,
      'test/http/error-contexts.test.ts',
      'test/http/error-rendering.test.ts',
    ],
  },
  'order of upgrade faults': {
    files: ['src/daml/upgrade/walk-order.ts'],
    tests: ['test/daml/upgrade'],
  },
  'requests of the admin API': {
    files: [
      'src/services/participant-admin/parsing/fields.ts',
      'src/services/participant-admin/parsing/topology.ts',
      'src/services/participant-admin/topology/stores.ts',
      'src/services/participant-admin/topology/write-requests.ts',
      `${NETWORK}/administration/cron.ts`,
    ],
    tests: [
      'test/grpc/admin-requests.test.ts',
      'test/grpc/admin-api.test.ts',
      'test/grpc/admin/two-synchronizers.test.ts',
      'test/network/cron.test.ts',
    ],
  },
  'listed topology': {
    files: [
      'src/services/participant-admin/topology/list-all.ts',
      'src/services/participant-admin/topology/listings.ts',
      'src/services/participant-admin/topology/reads.ts',
      'src/services/participant-admin/topology/synchronizer-states.ts',
    ],
    tests: [
      'test/grpc/admin/list-all.test.ts',
      'test/grpc/admin-api.test.ts',
      'test/grpc/admin-requests.test.ts',
      'test/grpc/topology/temporary-stores.test.ts',
    ],
  },
  'what an operator asks of a participant': {
    files: [
      'src/services/participant-admin/connectivity.ts',
      'src/services/participant-admin/inspection.ts',
      'src/services/participant-admin/no-wait-commitments.ts',
      'src/services/participant-admin/repair.ts',
      'src/services/participant-admin/resource-limits.ts',
      'src/services/ledger-api/command-status.ts',
      `${NETWORK}/administration/recent-commands.ts`,
    ],
    tests: [
      'test/grpc/admin-requests.test.ts',
      'test/grpc/admin-api.test.ts',
      'test/grpc/admin/two-synchronizers.test.ts',
      'test/grpc/ledger/command-status.test.ts',
    ],
  },
  'keys of a vault': {
    files: [
      'src/services/participant-admin/vault',
      `${NETWORK}/topology/encryption-keys.ts`,
      `${NETWORK}/topology/mapped-keys.ts`,
      `${NETWORK}/topology/party-keys.ts`,
    ],
    tests: [
      'test/network/topology/encryption-keys.test.ts',
      'test/grpc/admin/keys.test.ts',
      'test/grpc/topology/node-keys.test.ts',
      'test/grpc/admin-requests.test.ts',
      'test/grpc/ledger/external-parties.test.ts',
      'test/network/external/signing.test.ts',
      'test/network/external/onboarding.test.ts',
    ],
  },
  'elliptic keys': {
    files: ['src/daml/lf/builtins/ec-key.ts'],
    tests: ['test/daml/lf/builtins/cryptography.test.ts', 'test/daml/lf/builtins/builtins.test.ts'],
  },
  'values in release 3.4': {
    files: ['src/daml/codec/json/decode.ts', 'src/daml/codec/json/codec.ts'],
    tests: [`${API}/release-3.4/values.test.ts`, 'test/daml/codec'],
  },
  'rules of releases': {
    files: [
      'src/network/commands/submission-input.ts',
      'src/daml/refusals/key-refusals.ts',
      'src/services/ledger-api/formats/rpc-status.ts',
      'src/network/administration/party-records.ts',
      'src/network/administration/user-rights.ts',
      'src/services/participant-admin/removal.ts',
      'src/services/streams/checkpoints.ts',
    ],
    tests: [
      'test/network/parties.test.ts',
      'test/network/users.test.ts',
      'test/http/streams/reverts.test.ts',
      'test/services/authorization/order.test.ts',
      `${API}/identity-providers.test.ts`,
      `${API}/commands/disclosure.test.ts`,
      `${API}/commands/contract-keys.test.ts`,
      `${API}/api-versions.test.ts`,
      `${API}/release-3.4`,
      `${API}/release-3.6`,
      'test/grpc/admin/removal-by-release.test.ts',
      'test/grpc/admin-api.test.ts',
      'test/http/error-rendering.test.ts',
      'test/http/parties.test.ts',
      'test/http/users.test.ts',
      'test/http/streams/checkpoints.test.ts',
      'test/daml/lf/keys/keys.test.ts',
    ],
  },
  'disabled parts of a release': {
    files: [
      'src/services/ledger-api/disabled-apis.ts',
      'src/spec/deprecated/deprecated-apis.ts',
      'src/assembly/serving-options.ts',
    ],
    tests: [
      `${API}/disabled-apis.test.ts`,
      'test/grpc/ledger/disabled-methods.test.ts',
      'test/options/tables.test.ts',
    ],
  },
  'values of messages': {
    files: [
      'src/daml/codec/map-order.ts',
      'src/network/values/reader.ts',
      'src/network/values/scala-value.ts',
      'src/network/values/validation.ts',
      'src/network/values/value-message.ts',
    ],
    tests: [
      'test/network/values/values.test.ts',
      'test/grpc/refused-commands.test.ts',
      'test/network/external/prepared-hash.test.ts',
    ],
  },
  'languages of packages': {
    files: ['src/daml/dar/check-languages.ts'],
    tests: [`${API}/packages/package-languages.test.ts`],
  },
  'standard library': {
    files: ['src/daml/define/standard-library.ts'],
    tests: ['test/daml/define/standard-library.test.ts'],
  },
  'order and texts of types': {
    files: ['src/daml/model/definition-order.ts', 'src/daml/typing/expression-text.ts'],
    tests: [
      'test/daml/dar/check-order.test.ts',
      'test/daml/dar/typing/ill-typed.test.ts',
      'test/daml/upgrade',
    ],
  },
  'ids in keys': {
    files: ['src/daml/codec/contract-ids.ts', `${INTERPRETER}/given-keys.ts`],
    tests: ['test/daml/codec/contract-ids.test.ts', `${API}/commands/commands-by-kind.test.ts`],
  },
  zips: {
    files: ['src/daml/archive/zip/zip.ts', 'src/daml/archive/zip/dar-manifest.ts'],
    tests: ['test/daml/dar/dar-file.test.ts'],
  },
  'DARs that are read again': {
    files: ['src/daml/dar/read-dars.ts'],
    tests: ['test/daml/dar/read-dars.test.ts'],
  },
  'calls with several arguments': {
    files: ['src/daml/lf/runtime/calling.ts'],
    tests: ['test/daml/lf/runtime/calling.test.ts'],
  },
  'frames on the heap': {
    files: ['src/daml/lf/runtime/trampoline.ts', 'src/daml/lf/runtime/heap-operations.ts'],
    tests: [
      'test/daml/lf/deep-transactions.test.ts',
      'test/daml/lf/one-world.test.ts',
      'test/daml/lf/updates.test.ts',
      'test/daml/lf/interfaces.test.ts',
      'test/daml/lf/recursion.test.ts',
    ],
  },
  projection: {
    files: [`${NETWORK}/reading/projection.ts`, `${NETWORK}/reading/event-format.ts`],
    tests: [
      'test/network/ledger/privacy.test.ts',
      `${API}/updates/visibility.test.ts`,
      'test/properties/projection.test.ts',
      `${API}/state/active-contracts.test.ts`,
      `${API}/updates/updates.test.ts`,
      `${API}/updates/witness-order.test.ts`,
      'test/grpc/workflow.test.ts',
    ],
  },
  'offset gaps': {
    files: [`${NETWORK}/ledger/offset-gaps.ts`],
    tests: ['test/network/offset-gaps.test.ts'],
  },
  visibility: {
    files: [
      `${NETWORK}/routing/visibility.ts`,
      `${NETWORK}/ledger/active-contracts.ts`,
      `${NETWORK}/ledger/contract-store.ts`,
    ],
    tests: [
      'test/network/ledger/privacy.test.ts',
      'test/network/ledger/witnesses.test.ts',
      'test/network/ledger/rules.test.ts',
      'test/multi/cut-off.test.ts',
      `${API}/state/active-contracts.test.ts`,
      `${API}/state/contract-pages.test.ts`,
      'test/network/ledger/reassignment.test.ts',
      'test/network/journal.test.ts',
      `${API}/commands/contract-keys.test.ts`,
      'test/network/forgotten-history.test.ts',
      'test/services/scan/backfilling.test.ts',
      'test/services/scan/acs-snapshots.test.ts',
      'test/testing/use-canticle.test.ts',
      'test/properties/projection.test.ts',
      'test/properties/model.test.ts',
    ],
  },
  authorization: {
    files: [
      `${INTERPRETER}/interpreter.ts`,
      `${INTERPRETER}/frame.ts`,
      `${INTERPRETER}/contract-code.ts`,
      `${INTERPRETER}/keyed-contracts.ts`,
      `${INTERPRETER}/contracts-in-use.ts`,
    ],
    tests: [
      'test/network/ledger/rules.test.ts',
      'test/daml/lf/own-contract.test.ts',
      'test/daml/lf/updates.test.ts',
      `${API}/commands/submission.test.ts`,
      `${API}/commands/contract-keys.test.ts`,
      `${API}/commands/reassignment.test.ts`,
      'test/daml/lf/exceptions',
      'test/daml/lf/order',
      'test/daml/lf/keys/keys.test.ts',
      'test/daml/lf/corners.test.ts',
      'test/network/external/contract-keys.test.ts',
      'test/network/external/rolled-back.test.ts',
      `${API}/updates/visibility.test.ts`,
    ],
  },
  prepared: {
    files: [
      `${NETWORK}/external/prepared/strict-reading.ts`,
      `${NETWORK}/external/prepared/node-order.ts`,
      `${NETWORK}/external/prepared/reached-nodes.ts`,
      `${NETWORK}/external/prepared/bare.ts`,
      `${NETWORK}/external/prepared/created-contracts.ts`,
      `${NETWORK}/commands/ledger-time.ts`,
    ],
    tests: [
      'test/network/external/executed-nodes.test.ts',
      'test/network/external/tampered.test.ts',
      'test/network/external/interactive-submission.test.ts',
      'test/network/external/contract-keys.test.ts',
    ],
  },
  onboarding: {
    files: [
      `${NETWORK}/external/allocation.ts`,
      `${NETWORK}/external/onboarding.ts`,
      `${NETWORK}/topology/party-hosting.ts`,
    ],
    tests: [
      'test/network/external/onboarding.test.ts',
      'test/network/external/onboarding-by-hand.test.ts',
      'test/network/external/several-participants.test.ts',
    ],
  },
  'traffic accounts': {
    files: [`${NETWORK}/traffic/accounts.ts`, 'src/services/ledger-api/state/traffic-accounts.ts'],
    tests: [
      `${API}/release-3.6/traffic-accounts.test.ts`,
      'test/network/traffic/account-events.test.ts',
    ],
  },
  'estimated costs': {
    files: [`${NETWORK}/external/cost.ts`, `${NETWORK}/external/moving-cost.ts`],
    tests: ['test/network/traffic/estimated-moves.test.ts', 'test/network/traffic/costs.test.ts'],
  },
  traffic: {
    files: [`${NETWORK}/traffic`],
    tests: [
      'test/network/traffic/views.test.ts',
      'test/network/traffic/costs.test.ts',
      'test/network/traffic/reassignments.test.ts',
      'test/localnet/traffic.test.ts',
    ],
  },
  deduplication: {
    files: [`${NETWORK}/ledger/deduplication.ts`, `${NETWORK}/model/deduplication-period.ts`],
    tests: [
      `${API}/commands/deduplication.test.ts`,
      `${API}/commands/accepted-changes.test.ts`,
      'test/conformance/commands/deduplication.test.ts',
      'test/network/forgotten-history.test.ts',
    ],
  },
  reassignment: {
    files: [`${NETWORK}/reassignment`, `${NETWORK}/ledger/incomplete-reassignments.ts`],
    tests: [
      'test/network/ledger/reassignment.test.ts',
      'test/network/ledger/assignment-exclusivity.test.ts',
      'test/network/automatic-assignment.test.ts',
      `${API}/commands/reassignment.test.ts`,
      `${API}/commands/assignment-exclusivity.test.ts`,
      `${API}/commands/incomplete-reassignments.test.ts`,
      `${API}/commands/paused-synchronizer.test.ts`,
      'test/network/ledger/routing.test.ts',
    ],
  },
  upgrades: {
    files: ['src/daml/upgrade'],
    tests: [
      `${API}/packages/package-upgrades.test.ts`,
      'test/daml/lf/upgrades',
      `${API}/packages/package-passes.test.ts`,
    ],
  },
  expiry: {
    files: [
      'src/token/holdings/deadlines.ts',
      'src/token/holdings/locks.ts',
      'src/token/transfers',
    ],
    tests: ['test/token/token.test.ts', 'test/token/standard.test.ts', 'test/services/registry'],
  },
  limits: {
    files: [
      'src/services/ledger-api/formats/page-tokens.ts',
      'src/services/scan/formats/requests.ts',
      `${NETWORK}/submission/submission.ts`,
    ],
    tests: [
      `${API}/updates/update-pages.test.ts`,
      `${API}/state/contract-pages.test.ts`,
      `${API}/commands/submission.test.ts`,
      `${API}/commands/precedence.test.ts`,
      `${API}/commands/contract-keys.test.ts`,
      `${API}/commands/reassignment.test.ts`,
      'test/services/scan/updates.test.ts',
      'test/services/scan/rules-and-rounds.test.ts',
      'test/services/scan/amulet-lookups.test.ts',
    ],
  },
  claims: {
    files: ['src/services/authorization'],
    tests: [
      'test/services/authorization',
      'test/http/foreign-pages.test.ts',
      'test/services/validator/users.test.ts',
      'test/services/validator/names.test.ts',
      'test/grpc/each-method.test.ts',
    ],
  },
  scala: {
    files: ['src/daml/errors/scala-order.ts', 'src/daml/errors/scala-text.ts'],
    tests: ['test/daml/errors'],
  },
  requests: {
    files: [
      'src/spec/reading-objects.ts',
      'src/spec/reading-scalars.ts',
      'src/spec/reading/exact-json.ts',
      'src/spec/reading/json-text.ts',
      'src/spec/enum-validator.ts',
    ],
    tests: ['test/spec/decode-ledger.test.ts'],
  },
  numbers: {
    files: ['src/daml/codec/java-number.ts'],
    tests: [
      'test/daml/codec/java-number.test.ts',
      'test/daml/codec/json-refusals.test.ts',
      'test/daml/codec/json-codec.test.ts',
    ],
  },
  paths: {
    files: ['src/http/routing/paths.ts', 'src/http/delivery/head.ts'],
    tests: [
      'test/http/routing/paths.test.ts',
      'test/http/routing/routing.test.ts',
      'test/http/connections.test.ts',
    ],
  },
  'what is read before authorization': {
    files: ['src/services/ledger-api/json-layer.ts', 'src/http/read-before.ts'],
    tests: ['test/services/authorization/order.test.ts', 'test/http/entry-points/mounted.test.ts'],
  },
  'what the JSON layer refuses': {
    files: ['src/daml/codec/json/json-layer.ts', 'src/daml/codec/json/faults.ts'],
    tests: [
      'test/daml/codec/json-refusals.test.ts',
      'test/http/error-rendering.test.ts',
      'test/network/explanation/misspelt.test.ts',
    ],
  },
  'fields of archives': {
    files: ['src/daml/archive/wire/wire.ts'],
    tests: ['test/daml/dar/dar-file.test.ts', 'test/daml/dar/decode.test.ts'],
  },
  'the validator app': {
    files: ['src/services/validator'],
    tests: [
      'test/services/validator',
      'test/services/scan/holdings.test.ts',
      'test/services/authorization/proxy.test.ts',
      'test/splice/dso/scan.test.ts',
    ],
  },
  'the wallet app': {
    files: ['src/services/wallet-app'],
    tests: ['test/services/wallet-app', 'test/localnet/without-dars.test.ts'],
  },
  automation: {
    files: ['src/splice/automation'],
    tests: ['test/splice/automation', 'test/splice/dso', 'test/services/sv/governance.test.ts'],
  },
  'actions of wallets': {
    files: ['src/splice/wallet'],
    tests: [
      'test/localnet/wallet-automation.test.ts',
      'test/services/validator/external-parties.test.ts',
      'test/services/wallet-app',
      'test/splice/amulet',
      'test/splice/dso/top-up.test.ts',
      'test/splice/dso/wallet-verbs.test.ts',
    ],
  },
  gRPC: {
    files: ['src/grpc/wire', 'src/grpc/messages', 'src/grpc/status.ts'],
    tests: [
      'test/grpc/wire/back-pressure.test.ts',
      'test/grpc/wire/frames.test.ts',
      'test/grpc/wire/keep-alive.test.ts',
      'test/grpc/wire/server.test.ts',
      'test/grpc/wire/messages.test.ts',
      'test/grpc/wire/absent-messages.test.ts',
      'test/grpc/wire/any-message.test.ts',
      'test/grpc/bad-input.test.ts',
      'test/grpc/workflow.test.ts',
    ],
  },
  'bytes that a connection may hold': {
    files: ['src/grpc/wire/held-bytes.ts'],
    tests: ['test/grpc/wire/held-bytes.test.ts'],
  },
  scripts: {
    files: ['src/script'],
    tests: ['test/script'],
  },
  'the bridge': {
    files: ['src/bridge'],
    tests: ['test/bridge', 'test/cli/recording'],
  },
  recordings: {
    files: ['src/recording'],
    tests: ['test/recording', 'test/cli/recording'],
  },
  simulations: {
    files: [`${NETWORK}/simulation`],
    tests: [
      'test/network/simulation-effects.test.ts',
      'test/testing/simulate.test.ts',
      'test/properties/simulation.test.ts',
    ],
  },
  'world files': {
    files: [
      `${NETWORK}/worlds/graph-reader.ts`,
      `${NETWORK}/worlds/graph-writer.ts`,
      `${NETWORK}/worlds/restore.ts`,
      `${NETWORK}/worlds/save.ts`,
      `${NETWORK}/worlds/saved-network.ts`,
    ],
    tests: [
      'test/network/world-graph.test.ts',
      'test/properties/worlds.test.ts',
      'test/testing/worlds.test.ts',
    ],
  },
  'imported states': {
    files: [`${NETWORK}/worlds/plant.ts`, `${NETWORK}/worlds/plant-halves.ts`],
    tests: [
      'test/network/planting.test.ts',
      'test/testing/forks/kinds.test.ts',
      'test/testing/forks/acs-files.test.ts',
    ],
  },
  'the pipeline of calls': {
    files: ['src/services/calls'],
    tests: [
      'test/faults/over-grpc.test.ts',
      'test/faults/over-http.test.ts',
      'test/faults/streams.test.ts',
      'test/services/calls',
      'test/http/request-journal.test.ts',
      'test/http/timeouts.test.ts',
      'test/services/authorization',
    ],
  },
  faults: {
    files: ['src/services/faults'],
    tests: ['test/faults'],
  },
  traces: {
    files: ['src/daml/tracing'],
    tests: [
      'test/daml/trace-texts.test.ts',
      'test/daml/tracing',
      'test/cli/trace.test.ts',
      'test/network/explanation',
      'test/network/external/rolled-back.test.ts',
    ],
  },
  'pictures of traces': {
    files: ['src/daml/tracing/trace-pictures.ts', 'src/daml/tracing/svg.ts'],
    tests: ['test/daml/tracing'],
  },
  'values of other realms': {
    files: ['src/daml/errors/realms.ts'],
    tests: ['test/daml/errors/realms.test.ts'],
  },
  'pages of browsers': {
    files: ['src/http/pages'],
    tests: ['test/http/page-guard.test.ts', 'test/http/foreign-pages.test.ts'],
  },
  'streams that wait for the log': {
    files: ['src/services/streams/log-hub.ts', 'src/http/streams/opening-streams.ts'],
    tests: [
      'test/http/streams/log-hub.test.ts',
      'test/http/streams/opening-streams.test.ts',
      'test/http/streams/update-order.test.ts',
    ],
  },
  'words for updates': {
    files: ['src/splice/wallet-log/words.ts'],
    tests: ['test/splice/dso/expiry.test.ts', 'test/splice/inspected-words.test.ts'],
  },
  'the proxy that records': {
    files: ['src/bridge/recording-proxy.ts'],
    tests: [
      'test/bridge/recording-proxy.test.ts',
      'test/cli/recording/record.test.ts',
      'test/cli/recording/secrets.test.ts',
    ],
  },
  'reading of a live side': {
    files: ['src/assembly/fork/read-live.ts'],
    tests: ['test/testing/forks'],
  },
  'generated code': {
    files: ['src/codegen'],
    tests: ['test/codegen'],
  },
  'releases of nodes': {
    files: [
      'src/assembly/releases',
      'src/spec/releases/node-options.ts',
      'src/spec/releases/releases.ts',
    ],
    tests: [
      'test/assembly/named-releases.test.ts',
      `${API}/own-documents.test.ts`,
      'test/multi/releases',
      'test/services/ledger-api/disabled-apis.test.ts',
    ],
  },
  'time limits of requests': {
    files: ['src/http/request-timeout.ts'],
    tests: ['test/http/timeouts.test.ts'],
  },
  'rows of options': {
    files: ['src/options/kinds.ts', 'src/options/row.ts', 'src/cli/flags/option-flags.ts'],
    tests: [
      'test/options/tables.test.ts',
      'test/scenario/options.test.ts',
      'test/localnet/config.test.ts',
      'test/cli/fork.test.ts',
      'test/cli/sandbox-flags.test.ts',
    ],
  },
  'messages from definitions': {
    files: [
      'src/network/protobuf/camel-case.ts',
      'src/network/protobuf/defined.ts',
      'src/network/protobuf/messages.ts',
      'src/network/protobuf/versioned.ts',
      'src/network/topology/topology-messages.ts',
    ],
    tests: [
      'test/network/external/golden-hashes.test.ts',
      'test/network/external/hashing-schemes.test.ts',
      'test/network/protobuf/messages.test.ts',
      'test/network/topology/golden-messages.test.ts',
      'test/network/topology/mapping-rules.test.ts',
      'test/network/values',
    ],
  },
  'bytes of messages': {
    files: ['src/network/protobuf/byte-writer.ts'],
    tests: ['test/network/protobuf/byte-writer.test.ts'],
  },
  'signers of topology mappings': {
    files: ['src/network/topology/mapping-rules.ts'],
    tests: ['test/network/topology/mapping-rules.test.ts'],
  },
  'rules of topology stores': {
    files: [
      'src/network/topology/mapping-checks.ts',
      'src/network/topology/mapping-log.ts',
      'src/network/topology/signed-mappings.ts',
      'src/network/topology/store-rules.ts',
      'src/network/topology/synchronizer-store.ts',
    ],
    tests: [
      'test/network/topology/mapping-log.test.ts',
      'test/grpc/topology/node-keys.test.ts',
      'test/grpc/topology/party-keys.test.ts',
      'test/grpc/topology/temporary-stores.test.ts',
      'test/grpc/topology/namespace-proposals.test.ts',
      'test/grpc/topology/topology-writes.test.ts',
      'test/grpc/topology/hosting-proposals.test.ts',
      'test/grpc/topology/joint-signatures.test.ts',
      'test/grpc/topology/party-safety.test.ts',
      'test/grpc/topology/trust-certificates.test.ts',
    ],
  },
  'fuzzed ledger': {
    files: [
      'src/fuzzing/ledger/fuzz-input.ts',
      'src/fuzzing/ledger/fuzz-interpreter.ts',
      'src/fuzzing/ledger/fuzz-ledger.ts',
      'src/fuzzing/ledger/targets.ts',
      'src/script/ide/ide-contracts.ts',
    ],
    tests: ['test/fuzzing/ledger'],
  },
  'fuzzed values': {
    files: [
      'src/fuzzing/values/constants.ts',
      'src/fuzzing/values/numbers.ts',
      'src/fuzzing/values/random.ts',
      'src/fuzzing/values/state-leaves.ts',
      'src/fuzzing/values/values.ts',
    ],
    tests: [
      'test/fuzzing/values/constants.test.ts',
      'test/fuzzing/values/numbers.test.ts',
      'test/fuzzing/values/values.test.ts',
    ],
  },
  'fuzzed actions': {
    files: [
      'src/fuzzing/actions/action.ts',
      'src/fuzzing/actions/action-set.ts',
      'src/fuzzing/actions/actors.ts',
    ],
    tests: ['test/fuzzing/actions/action-set.test.ts'],
  },
  'fuzz shrinking': {
    files: ['src/fuzzing/shrinking', 'src/fuzzing/values/leaves.ts'],
    tests: [
      'test/fuzzing/shrinking',
      'test/fuzzing/values/leaves.test.ts',
      'test/fuzzing/emitting/reproductions.test.ts',
    ],
  },
  'fuzz reproductions': {
    files: [
      'src/fuzzing/emitting',
      'src/fuzzing/model/step-json.ts',
      'src/fuzzing/model/texts.ts',
      'src/assembly/fuzzing/emitted.ts',
      'src/cli/fuzz/emit.ts',
    ],
    tests: [
      'test/fuzzing/emitting',
      'test/fuzzing/step-json.test.ts',
      'test/testing/fuzzing/fuzz-daml.test.ts',
      'test/cli/fuzz/fuzz.test.ts',
    ],
  },
  'fuzz solving': {
    files: ['src/fuzzing/solving', 'src/assembly/fuzzing/z3.ts'],
    tests: ['test/fuzzing/solving'],
  },
  'attempts of scenarios': {
    files: [
      'src/scenario/verbs/find.ts',
      'src/scenario/perform.ts',
      'src/scenario/run.ts',
      'src/scenario/names.ts',
      'src/scenario/expectations/contract.ts',
    ],
    tests: ['test/scenario'],
  },
  'fuzz checks': {
    files: ['src/fuzzing/checks'],
    tests: ['test/fuzzing/checks', 'test/fuzzing/zoo.test.ts'],
  },
  'fuzz invariants': {
    files: [
      'src/fuzzing/invariants/conserved.ts',
      'src/fuzzing/invariants/daml-invariants.ts',
      'src/fuzzing/invariants/fields.ts',
      'src/fuzzing/invariants/invariant.ts',
      'src/fuzzing/invariants/names.ts',
      'src/fuzzing/invariants/read-view.ts',
      'src/fuzzing/invariants/seen-only-by.ts',
      'src/fuzzing/invariants/token-standard.ts',
      'src/fuzzing/invariants/token-views.ts',
      'src/fuzzing/invariants/totals.ts',
    ],
    tests: [
      'test/fuzzing/invariants/daml-invariants.test.ts',
      'test/fuzzing/invariants/invariants.test.ts',
      'test/fuzzing/invariants/token-standard.test.ts',
      'test/fuzzing/invariants/totals.test.ts',
      'test/fuzzing/zoo.test.ts',
    ],
  },
  'fuzzing as tests': {
    files: ['src/testing/runner/fuzz-daml.ts', 'src/fuzzing/invariants/acting-view.ts'],
    tests: ['test/testing/fuzzing/fuzz-daml.test.ts'],
  },
  'fuzzed runs': {
    files: ['src/fuzzing/running/counts.ts', 'src/fuzzing/running/fuzz-run.ts'],
    tests: ['test/fuzzing/running/fuzz-run.test.ts', 'test/fuzzing/guidance/guidance.test.ts'],
  },
  'probes in compiled code': {
    files: ['src/daml/lf/probing'],
    tests: [
      'test/daml/lf/code-text.test.ts',
      'test/daml/lf/probes.test.ts',
      'test/daml/lf/rest-text.test.ts',
      'test/mutating',
    ],
  },
  'mutants of Daml code': {
    files: ['src/mutating/mutation.ts', 'src/mutating/operators'],
    tests: [
      'test/mutating/compiled-shape.test.ts',
      'test/mutating/operators.test.ts',
      'test/mutating/parties.test.ts',
      'test/mutating/recording.test.ts',
    ],
  },
  'the command mutate': {
    files: [
      'src/mutating/running',
      'src/mutating/reporting',
      'src/assembly/mutating',
      'src/assembly/cache/mutants-here.ts',
      'src/cli/mutate/mutate.ts',
      'src/cli/mutate/user-suite.ts',
    ],
    tests: [
      'test/cli/mutate',
      'test/mutating/fuzz-suite.test.ts',
      'test/mutating/mutants-here.test.ts',
      'test/mutating/packages.test.ts',
      'test/mutating/reporting.test.ts',
      'test/mutating/step-budget.test.ts',
    ],
  },
  'the command fuzz': {
    files: [
      'src/assembly/fuzzing/fuzz-project.ts',
      'src/assembly/fuzzing/invariant-files.ts',
      'src/assembly/fuzzing/network-start.ts',
      'src/cli/fuzz/fuzz.ts',
      'src/cli/fuzz/fuzz-report.ts',
      'src/cli/fuzz/fuzz-values.ts',
      'src/fuzzing/guidance/code-coverage.ts',
    ],
    tests: [
      'test/cli/fuzz/fuzz.test.ts',
      'test/cli/fuzz/stopping.test.ts',
      'test/cli/fuzz/invariant-files.test.ts',
    ],
  },
  'guided fuzzing': {
    files: [
      'src/fuzzing/guidance/corpus.ts',
      'src/fuzzing/guidance/guidance.ts',
      'src/fuzzing/guidance/mutation.ts',
      'src/fuzzing/guidance/payload-shape.ts',
      'src/fuzzing/guidance/state-shapes.ts',
      'src/fuzzing/guidance/steering.ts',
      'src/fuzzing/values/changes.ts',
    ],
    tests: [
      'test/fuzzing/guidance/choices.test.ts',
      'test/fuzzing/guidance/corpus.test.ts',
      'test/fuzzing/guidance/guidance.test.ts',
      'test/fuzzing/guidance/shapes.test.ts',
    ],
  },
  'threads and corpus of fuzzed runs': {
    files: [
      'src/assembly/fuzzing/corpus-folder.ts',
      'src/assembly/fuzzing/fuzz-campaign.ts',
      'src/assembly/fuzzing/fuzz-thread.ts',
    ],
    tests: ['test/cli/fuzz/corpus.test.ts'],
  },
};
