/** Short forms of ids for messages, long enough to distinguish them. */
import type { Canticle } from '../../assembly/canticle.js';
import { shortenedDigits } from '../../daml/explanation/short-ids.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import { splitTypeId } from '../../daml/model/types.js';
import type { Update } from '../../network/model/updates.js';

/** Shortens each long sequence of digits in a text: `alice::1220ab12…`. */
export const shortened = shortenedDigits;

export const shortJson = (value: unknown): string => shortened(JSON.stringify(value));

export const shortList = (parties: readonly string[]): string =>
  parties.length === 0 ? 'nobody' : parties.map(shortened).join(', ');

/** `Quickstart.Iou:Iou`, without the package. */
export function templateText(templateId: string): string {
  const { module, entity } = splitTypeId(templateId);
  return `${module}:${entity}`;
}

/** The alias of a synchronizer. */
export function synchronizerText({ network }: Canticle, id: string): string {
  return network.synchronizer(id)?.alias ?? shortened(id);
}

/** `update 1220ab… (sandbox offset 5, 2026-01-01T00:00:00.000005Z)` */
export function updateText({ network }: Canticle, update: Update): string {
  const offsets = network.participants.flatMap(({ id, name }) => {
    const offset = update.offsets.get(id);
    return offset === undefined ? [] : [`${name} offset ${offset}`];
  });
  const where = [...offsets, formatTimestampMicros(update.recordTime)].join(', ');
  return `update ${shortened(update.updateId)} (${where})`;
}
