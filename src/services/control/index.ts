/** Canticle's own controls, which real networks do not have. */
import type { Handlers } from '../handler.js';
import { automation } from './automation.js';
import { changes } from './changes.js';
import { coverage } from './coverage.js';
import { faults } from './faults.js';
import { inspection } from './inspection.js';
import { migration } from './migration.js';
import { participants } from './participants.js';
import { pictures } from './pictures.js';
import { pruning } from './pruning.js';
import { requests } from './requests.js';
import { rewards } from './rewards.js';
import { simulation } from './simulation.js';
import { snapshots } from './snapshots.js';
import { sql } from './sql.js';
import { submission } from './submission.js';
import { synchronizers } from './synchronizers.js';
import { time } from './time.js';
import { traces } from './traces.js';
import { wallet } from './wallet.js';

export const handlers: Handlers<'control'> = {
  ...snapshots,
  ...time,
  ...synchronizers,
  ...automation,
  ...participants,
  ...pruning,
  ...migration,
  ...rewards,
  ...requests,
  ...traces,
  ...simulation,
  ...submission,
  ...inspection,
  ...changes,
  ...coverage,
  ...sql,
  ...pictures,
  ...faults,
  ...wallet,
};
