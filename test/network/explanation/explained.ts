/** Helpers for tests of explanations. */
import { LedgerError } from 'canticle';

/** The refusal of an action that must be refused. */
export function refusalOf(action: () => unknown): LedgerError {
  try {
    action();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('This is accepted, and was to be refused.');
}

/** The text of its explanation, behind the line of the submitter; digits of ids masked, places of this repository relative. */
export function explanationOf(action: () => unknown): string {
  const [, ...lines] = masked(refusalOf(action).explanation!.body()).split('\n');
  return lines.join('\n');
}

export const masked = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{12}…/g, '·')
    .replace(/@[0-9a-f]{8}\b/g, '@·')
    .replace(/\S*(test\/\S+?):\d+:\d+/g, '$1');
