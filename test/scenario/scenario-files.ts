/** Scenario files for tests, in a separate folder, and the bytes of the resulting worlds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Canticle } from 'canticle';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
let files = 0;

/** @returns the path of a new file */
export function scenarioFile(text: string | Uint8Array, name = `scenario-${++files}.yaml`): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

/** The message that an action fails with, with the file's own name in place of its path. */
export function complaint(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message.replaceAll(/[^\s']*(scenario-\d+\.yaml)/g, 'FILE');
  }
  return 'none';
}

/** All updates and all state as text, which is the same for equal worlds. */
export function bytesOf({ network, participants, time }: Canticle): string {
  const updates = Array.from({ length: network.updates.length }, (_, i) => {
    const update = network.updates.at(i)!;
    const { updateId, synchronizerId, migrationId, submission } = update;
    const seenAt = participants.map(({ id }) => update.offsets.get(id));
    const { submissionId } = submission ?? {};
    return { ...update, updateId, synchronizerId, migrationId, submissionId, seenAt };
  });
  const active = participants.map((each) => each.activeContracts());
  const offsets = participants.map(({ ledgerEnd }) => ledgerEnd);
  return JSON.stringify({ time, updates, active, offsets }, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map ? [...value] : value;
  });
}
