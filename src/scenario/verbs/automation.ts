/** Verbs of what the DSO and the validators do by themselves. */
import { described, name } from '../fields.js';
import { verb } from '../row.js';

const task = described(
  name,
  'As Splice calls its trigger, without `Trigger`: `AdvanceOpenMiningRound`.',
);

export const pauseAutomation = verb({
  summary: 'Has something no longer be done by itself.',
  subject: task,
  fields: {},
  run: ({ splice }, paused) => splice.automation.pause(paused),
});

export const resumeAutomation = verb({
  summary: 'Has it be done by itself again, and at once where it is due.',
  subject: task,
  fields: {},
  run: ({ splice }, resumed) => splice.automation.resume(resumed),
});

export const runAutomation = verb({
  summary: 'Does what is due of it now, paused or not.',
  subject: task,
  fields: {},
  run: ({ splice }, wanted) => void splice.automation.runOnce(wanted),
});
