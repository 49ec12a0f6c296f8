/**
 * `privacy.snap`: the facts of a run as text that a reviewer can read, and the comparison of a run with it.
 *
 *     #model:Iou:Iou
 *       payload
 *         issuer: signatory
 *         owner: controller of Transfer; observer
 *       Transfer
 *         owner: controller
 */
import type { Learned } from './learned.js';
import { keyOf, type PrivacyReport, type RecordedFact } from './privacy-record.js';

const HEADER = [
  '# Who learns what, and why. `payload` is the contents of a contract; a choice is its argument and result.',
  '# Canticle wrote this file. Accept changes with: canticle privacy --update',
];

/** A text that is not a snapshot. */
export class BadSnapshot extends Error {}

export function privacySnapshot({ facts }: PrivacyReport): string {
  const lines = [...HEADER];
  let last: Learned | undefined;
  let reasons: string[] = [];
  const flush = (): void => {
    if (last !== undefined) lines.push(`    ${last.who}: ${reasons.join('; ')}`);
    reasons = [];
  };
  for (const fact of facts) {
    const isOther = fact.template !== last?.template;
    const isOtherPart = isOther || fact.what !== last?.what;
    if (isOtherPart || fact.who !== last?.who) flush();
    if (isOther) lines.push('', fact.template);
    if (isOtherPart) lines.push(`  ${fact.what}`);
    reasons.push(fact.why);
    last = fact;
  }
  flush();
  return `${lines.join('\n')}\n`;
}

/** @throws BadSnapshot with the number of the first wrong line */
export function parsePrivacySnapshot(text: string): readonly Learned[] {
  const facts: Learned[] = [];
  let template: string | undefined;
  let what: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('# ')) continue;
    const [, indent = '', rest = ''] = /^( *)(.*)$/.exec(line)!;
    if (indent === '') {
      template = rest;
      what = undefined;
    } else if (indent === '  ' && template !== undefined) what = rest;
    else if (indent === '    ' && template !== undefined && what !== undefined) {
      const end = rest.indexOf(': ');
      if (end < 1) throw new BadSnapshot(`line ${index + 1} has no role or no reason`);
      const who = rest.slice(0, end);
      for (const why of rest.slice(end + 2).split('; ')) facts.push({ template, what, who, why });
    } else throw new BadSnapshot(`line ${index + 1} has no place: check its indentation`);
  }
  return facts;
}

/** The differences of a run from a snapshot. */
export interface PrivacyChanges {
  /** A party learns more, or for another reason. */
  readonly more: readonly RecordedFact[];
  /** Facts that the run did not show. */
  readonly less: readonly Learned[];
}

export function comparePrivacy(snapshot: readonly Learned[], run: PrivacyReport): PrivacyChanges {
  const expected = new Set(snapshot.map(keyOf));
  const actual = new Set(run.facts.map(keyOf));
  return {
    more: run.facts.filter((fact) => !expected.has(keyOf(fact))),
    less: snapshot.filter((fact) => !actual.has(keyOf(fact))),
  };
}

/** The changes as text: first who learns more, each with the path that shows it. */
export function privacyChangesText({ more, less }: PrivacyChanges): string {
  const lines: string[] = [];
  for (const fact of more) {
    lines.push(`+ ${factText(fact)}`);
    const { test, party, path } = fact.first;
    if (test !== undefined) lines.push(`    test  ${test}`);
    lines.push(`    party ${party}`);
    path.forEach((node, depth) =>
      lines.push(`    ${depth === 0 ? 'path ' : '     '} ${'  '.repeat(depth)}${node}`),
    );
  }
  for (const fact of less) lines.push(`- ${factText(fact)}`);
  return lines.map((line) => `${line}\n`).join('');
}

const factText = ({ template, what, who, why }: Learned): string =>
  `${template} ${what}: ${who} (${why})`;
