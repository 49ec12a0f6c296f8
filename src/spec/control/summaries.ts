/** The summary of each control in one line, for its OpenAPI document and docs/reference. */
export const SUMMARIES: Readonly<Record<string, string>> = {
  createSnapshot: 'Takes a snapshot, in constant time.',
  revertToSnapshot: 'Reverts to a snapshot. It stays valid, later ones do not.',
  resetNetwork: 'Reverts to the moment after the start.',
  getWorld:
    'The whole world as a file, as `save` writes it. With `packages=false`, the file has no packages of DARs. With `format=acs`, it has the active contracts of a participant or of `parties` (separated by commas), as Canton exports them.',
  getTime: "The ledger time, and whether it is virtual or this machine's.",
  setTime: 'Moves the time forward. Due tasks run at their times.',
  advanceTime: 'Moves the time forward by an ISO 8601 duration or by microseconds.',
  pauseSynchronizer:
    'Pauses sequencing, as if the synchronizer were down. Submissions stay in flight.',
  resumeSynchronizer: 'Sequences the submissions in flight, in their order, and continues.',
  getAutomation: 'The automation of the DSO and the validators, and when each task is due.',
  setAutomation: 'Turns all automation off or on.',
  pauseTask: 'Pauses one task.',
  resumeTask: 'Resumes it. It runs again when it is due.',
  runTask: 'Runs it once, now.',
  disconnectParticipant:
    'Disconnects it from a synchronizer. It neither receives, submits nor confirms there.',
  reconnectParticipant: 'Reconnects it. It receives the updates that it missed, in order.',
  restartParticipant: 'Restarts it: open streams and pending requests fail. Offsets stay.',
  pruneParticipant:
    'Prunes the updates up to an offset. On request it also frees the memory, which cannot be reverted.',
  getMigration: 'The current migration, and the scheduled one.',
  scheduleMigration: 'Schedules the next migration, with an id above the current one.',
  clearMigrationSchedule: 'Cancels the scheduled migration.',
  carryOutMigration:
    'Runs the scheduled migration. If it is in the future, the time advances to it.',
  setRewardRound: 'Sets the rewards of a round in Scan.',
  listRequests: 'The journal of requests, oldest first, with their errors.',
  clearRequests: 'Clears the journal. The next id continues.',
  explainRequest: 'Why a submission was rejected, by the id of its request or `latest`.',
  explainRequestAsText: 'The same as text.',
  traceRequest:
    'The trace of a submission, node by node, by the id of its request in the journal or `latest`.',
  profileRequest: 'The interpretation steps of a submission, by Daml function.',
  getProfile: 'The interpretation steps of an update, by Daml function.',
  findTrace: 'The trace of the newest submission with a command id or submission id.',
  tracePrepared: 'The trace of a prepared transaction, in the form that the Ledger API returned.',
  getTrace: 'The trace of an update, by its id.',
  submit: 'Submits as any party, without a user token. It takes a step of a simulation.',
  simulate: 'Simulates submissions, each on top of the earlier ones. Nothing is committed.',
  inspectUpdates:
    'The updates of all participants in pages, newest first, including submissions that failed after sequencing.',
  inspectContracts:
    'Contracts now, at a time, or at an offset of a participant; by template, interface, party, participant, synchronizer.',
  inspectContract:
    'The history of a contract: creation, exercises, reassignments with counters, archival; its views and its blob.',
  inspectChanges: 'Waits for a change since the state `after`, for a maximum of milliseconds.',
  inspectAccess:
    'How a client can act as parties (`actAs`, `readAs`, separated by commas): the URL of a participant, a user and a token.',
  inspectTopology:
    'Synchronizers, participants with their vetted packages, parties with their hosts.',
  inspectPackages: 'The packages of all participants.',
  inspectPackage:
    'The declarations of a package: modules, templates, choices, fields, interfaces, types.',
  inspectSource: 'The Daml source of a module, if a DAR contains it.',
  getPicture:
    'An SVG picture `of` a submission (by `updateId`, `requestId`, `commandId` or `submissionId`), or of the `coverage` of choices. The picture `sequence` is a sequence diagram. Flame graphs are `steps`, by nodes, and `functions`, by Daml functions.',
  startCoverage: 'Starts to count created templates and exercised choices, from zero.',
  getCoverage:
    'The created templates and exercised choices, of all packages or of those named (separated by commas).',
  getCoverageAsText: 'The same as text.',
  stopCoverage: 'Stops counting, and clears the counts.',
  querySql:
    'Runs one SQL statement over the ledger, with `params` for `$1`, `$2` and so on. An error has the SQLSTATE of PostgreSQL.',
  listFaults: 'The fault rules, how often each happened, and the calls that they hold.',
  addFault: 'Adds a fault rule: the calls that it matches, and its effect.',
  clearFaults: 'Removes all rules, and releases the calls that they hold.',
  releaseFaults: 'Releases all held calls.',
  stepFaults: 'Releases only the next held call.',
  removeFault: 'Removes a rule, and releases the calls that it holds.',
  releaseFault: 'Releases the calls that a rule holds.',
  getWallet:
    'The wallet of the Wallet Gateway: its settings, session, accounts and pending requests.',
  setWallet: 'Changes the settings of the wallet, its network, or its primary account.',
  connectWallet: 'Logs the user of the wallet in, as its login page does.',
  disconnectWallet: 'Ends the session of the wallet.',
  approveWalletRequest: 'Approves a request of a dApp. Without one, waits for the next.',
  rejectWalletRequest: 'Rejects a request of a dApp. Without one, waits for the next.',
};
