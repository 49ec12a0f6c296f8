/** The summary of each control in one line, for its document and the page made from that. */
export const SUMMARIES: Readonly<Record<string, string>> = {
  createSnapshot: 'Remembers this moment, at no cost.',
  revertToSnapshot: 'Goes back to a snapshot: it stays valid, later ones do not.',
  resetNetwork: 'Goes back to the moment after the start.',
  getWorld:
    'The whole world as a file, as `save` writes it; without the packages of DARs where `packages` is false. With `format=acs` the active contracts of a participant, as Canton exports them, or of `parties`, with commas between.',
  getTime: "Time of the network, and whether it is virtual or this machine's.",
  setTime: 'Moves time to a later moment; what is due on the way is done at its own.',
  advanceTime: 'Moves time on, by an ISO 8601 duration or by microseconds.',
  pauseSynchronizer: 'Stops sequencing, as if it were down: what is submitted stays in flight.',
  resumeSynchronizer: 'Sequences what is in flight, in the order of submission, and goes on.',
  getAutomation: 'What the DSO and the validators do by themselves, and when each is due.',
  setAutomation: 'Turns all of it off, or on again.',
  pauseTask: 'Holds one of them.',
  resumeTask: 'Lets it run again when it is due.',
  runTask: 'Runs it once, now.',
  disconnectParticipant:
    'Cuts its connection to a synchronizer: it hears nothing of it, submits and confirms nothing there.',
  reconnectParticipant: 'Connects it again: it learns what it has missed, in order.',
  restartParticipant:
    'Cuts off its open streams and whoever waits for an answer of it; offsets stay.',
  pruneParticipant: 'Forgets what happened up to an offset, for good where asked to.',
  getMigration: 'The running migration, and the one that is scheduled.',
  scheduleMigration: 'The next migration: at a time, under an id above the running one.',
  clearMigrationSchedule: 'Takes it back.',
  carryOutMigration: 'Moves the network to it, and time to its moment if that is still to come.',
  setRewardRound: 'What Scan tells of the rewards of a round.',
  listRequests:
    'The journal of requests, oldest first: what was asked, and what was wrong with it.',
  clearRequests: 'Empties the journal; ids go on.',
  explainRequest: 'Why a submission was refused, by the id of its request or `latest`.',
  explainRequestAsText: 'The same, for people.',
  traceRequest:
    'What a submission did, node by node, by the id of its request in the journal or `latest`.',
  profileRequest: 'Where its steps went, by the functions of Daml that took them.',
  getProfile: 'Where the steps of an update went, by the functions of Daml that took them.',
  findTrace: 'The same by the id of its command or of its submission: of the newest that has it.',
  tracePrepared: 'The same of a prepared transaction, as the Ledger API answered it.',
  getTrace: 'The same of an update, by its id.',
  submit:
    'Submits as anybody, without the token of a user: what a step of a simulation says, for real.',
  simulate:
    'What would happen if these were submitted, one on top of the other, or why not; nothing of it is kept.',
  inspectUpdates:
    'What happened across participants, newest first and in pages, submissions refused behind a synchronizer among them.',
  inspectContracts:
    'Contracts as they stand now, at a time, or at an offset of a participant: by template, interface, party, participant, synchronizer.',
  inspectContract:
    'One contract and its life: created, exercised, moved with its counters, archived; its views and its blob.',
  inspectChanges:
    'Waits until anything is different from what `after` was told for, for as many milliseconds at most.',
  inspectAccess:
    'How a client acts as these parties (`actAs`, `readAs`, with commas between them) at a participant: where, as which user, with which token.',
  inspectTopology: 'Synchronizers, participants with what they vetted, parties with their hosts.',
  inspectPackages: 'The packages that anybody knows.',
  inspectPackage:
    'What a package declares: modules, templates, choices, fields, interfaces, types.',
  inspectSource: 'The Daml of a module, where a DAR carried it.',
  getPicture:
    'An SVG for documents `of` a submission (by `updateId`, `requestId`, `commandId` or `submissionId`): `sequence`, who does what to whom; `steps`, a flame graph by nodes; `functions`, one by functions of Daml; or of the `coverage` of choices.',
  startCoverage: 'Counts templates and choices from now on, from nothing.',
  getCoverage: 'What was created and exercised; of the packages named, with commas between them.',
  getCoverageAsText: 'The same, for people.',
  stopCoverage: 'Stops counting, and forgets what was counted.',
  listFaults: 'The rules by which the network misbehaves, how often each did, and what they hold.',
  addFault: 'Adds a rule: which calls it meets, and what happens to them.',
  clearFaults: 'Removes all rules; what they hold goes on.',
  releaseFaults: 'Lets all that is held go on.',
  stepFaults: 'Lets the next of what is held go on, alone.',
  removeFault: 'Removes a rule; what it holds goes on.',
  releaseFault: 'Lets go on what a rule holds.',
};
