/** Sentences about findings that the emitted texts share. */
import type { Finding } from '../model/finding.js';

/** The emitted test, where its name is unknown. */
export const THE_TEST = 'the emitted test';

/** The check and the message, as lines. */
export function headOf(finding: Finding): readonly string[] {
  return [
    `Found by the check '${finding.check}' at ${finding.place}.`,
    ...finding.message.split('\n'),
  ];
}

/** The message in one line. */
export const asSentence = ({ message }: Finding): string => message.replace(/\s*\n\s*/g, ' ');
