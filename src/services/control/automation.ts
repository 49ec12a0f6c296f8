/** Controls of the automation of the DSO and the validators: list, pause and run tasks, or disable all of them. */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Automation, TaskState } from '../../splice/automation/automation.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';

const shownTask = ({ name, isPaused, due }: TaskState) => ({
  name,
  paused: isPaused,
  ...(due === undefined ? {} : { due: formatTimestampMicros(due) }),
});

const shown = (automation: Automation) => ({
  off: automation.isOff,
  tasks: automation.states.map(shownTask),
});

function named(automation: Automation, name: string): TaskState {
  const found = automation.states.find((each) => each.name === name);
  if (found === undefined) throw new HttpRefusal(404, `There is no automation ${name}.`);
  return found;
}

export const automation = {
  getAutomation: ({ splice }) => shown(splice.automation),

  setAutomation({ splice }, { body }) {
    splice.automation.isOff = body.off;
    return shown(splice.automation);
  },

  pauseTask({ splice }, { path }) {
    const { name } = named(splice.automation, path.task);
    splice.automation.pause(name);
    return shownTask(named(splice.automation, name));
  },

  resumeTask({ splice }, { path }) {
    const { name } = named(splice.automation, path.task);
    splice.automation.resume(name);
    return shownTask(named(splice.automation, name));
  },

  runTask({ splice }, { path }) {
    const { name } = named(splice.automation, path.task);
    const ran = splice.automation.runOnce(name);
    return { ...shownTask(named(splice.automation, name)), ran };
  },
} satisfies SomeHandlers<'control'>;
