/** Verbs of the automation of the DSO and the validators. */
import { described, name } from '../fields.js';
import { verb } from '../row.js';

const task = described(
  name,
  "Name of Splice's trigger without `Trigger`, such as `AdvanceOpenMiningRound`.",
);

export const pauseAutomation = verb({
  summary: 'Pauses an automation.',
  subject: task,
  fields: {},
  run: ({ splice }, paused) => splice.automation.pause(paused),
});

export const resumeAutomation = verb({
  summary: 'Resumes an automation. Due work runs at once.',
  subject: task,
  fields: {},
  run: ({ splice }, resumed) => splice.automation.resume(resumed),
});

export const runAutomation = verb({
  summary: 'Runs the due work of an automation, paused or not.',
  subject: task,
  fields: {},
  run: ({ splice }, wanted) => void splice.automation.runOnce(wanted),
});
