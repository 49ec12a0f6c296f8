// Differences from the recorded answers of a snapshot of 3.6 of July 2026 that we accept: release 3.6.1, which Canticle imitates, changed
// them again. The format is that of explained.mjs.

/** Operations and methods that the snapshot lacks. 3.6.1 has them again, disabled by default. */
const DISABLED =
  /\/v2\/(updates\/(flats|trees|transaction-(by|tree-by)-(id|offset))|package-vetting(\?|$)|interactive-submission\/preferred-package-version)|GetPreferredPackageVersion/;

const usedBy = ({ ask, ws, rpc }) => [ask, ws, rpc].find((each) => each !== undefined) ?? '';
const sameForm = (ours, real, form) => form.test(String(ours)) && form.test(String(real));

export const EXPLAINED_SNAPSHOT = [
  {
    kind: 'SNAPSHOT-GONE',
    reason: 'The snapshot does not have the operation. Release 3.6.1 has it again.',
    applies: ({ case: name, step, exchange }) =>
      DISABLED.test(usedBy(exchange)) || (name === 'read-ws-tail' && step.startsWith('trees,')),
  },
  {
    kind: 'SNAPSHOT-VERSION',
    reason: 'The version of the snapshot is not 3.6.1.',
    applies: ({ real }) => String(real).includes('3.6.0-SNAPSHOT'),
  },
  {
    kind: 'SNAPSHOT-HASH',
    reason: 'The recorded hash of a transaction covers ids that differ from run to run.',
    applies: ({ path, ours, real }) =>
      path.endsWith('.transactionHash') && sameForm(ours, real, /^([0-9a-f]{64}|[\w+/]{43}=)$/),
  },
  {
    kind: 'SNAPSHOT-PARTIES',
    reason:
      'The bytes of a disclosed payload contain the ids of parties, which differ from run to run.',
    applies: ({ path, ours, real }) =>
      /\.resources\.\d\.1$/.test(path) &&
      sameForm(ours, real, /^[\w+/]{80,}=*$/) &&
      ours.length === real.length,
  },
  {
    kind: 'SNAPSHOT-SLOW',
    reason: 'The machine of the recording was too busy: a request had no answer in time.',
    applies: ({ case: name, step, exchange }) =>
      exchange.threw !== undefined || (name === 'adm-ext-stream' && step === 'execute twice'),
  },
];
