/** The participants and synchronizers of `--multi-sync`, as in Canton's sandbox. */
import type { ParticipantOptions } from '../network/participant.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';

const SYNCHRONIZERS: readonly SynchronizerOptions[] = [
  { alias: 'synchronizer-1' },
  { alias: 'synchronizer-2' },
];

const PARTICIPANTS: readonly ParticipantOptions[] = [
  { name: 'sandbox' },
  { name: 'pebblebox' },
  { name: 'sidebox', synchronizers: ['synchronizer-2'] },
];

/** Between the ports of one participant and the next. */
const PORT_STEP = 1000;

/** @param port of the first participant; 0 for any free ones */
export function multiSync(port: number) {
  const ports = PARTICIPANTS.map(
    ({ name }, index) => [name, port === 0 ? 0 : port + index * PORT_STEP] as const,
  );
  return {
    synchronizers: SYNCHRONIZERS,
    participants: PARTICIPANTS,
    ports: Object.fromEntries(ports),
  };
}
