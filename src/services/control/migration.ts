/** The next migration of the network: schedules, cancels or executes it. */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { SomeHandlers } from '../handler.js';
import { parseTime } from '../../network/model/time-texts.js';

export const migration = {
  getMigration: ({ network: { migrations } }) => {
    const { current: migrationId, scheduled } = migrations;
    if (scheduled === undefined) return { migrationId };
    const time = formatTimestampMicros(scheduled.time);
    return { migrationId, scheduled: { time, migrationId: scheduled.migrationId } };
  },

  scheduleMigration: ({ network }, { body: { time, migrationId } }) => {
    const scheduled = { time: parseTime(time), migrationId };
    network.migrations.schedule(scheduled);
    return { time: formatTimestampMicros(scheduled.time), migrationId };
  },

  clearMigrationSchedule: ({ network }) => {
    network.migrations.clear();
    return { migrationId: network.migrations.current };
  },

  carryOutMigration: ({ network }) => ({ migrationId: network.migrations.carryOut().migrationId }),
} satisfies SomeHandlers<'control'>;
