/** The report of `canticle fuzz`: text, JSON and JUnit. */
import { basename } from 'node:path';
import type { FuzzProject } from '../../assembly/fuzzing/fuzz-project.js';
import type { CoverageSummary, MissedBranch, Share } from '../../fuzzing/guidance/code-coverage.js';
import type { ActionCount } from '../../fuzzing/running/counts.js';
import type { FoundBug, FuzzReport } from '../../fuzzing/running/fuzz-run.js';
import type { ReproducedBug } from '../../fuzzing/emitting/reproduce.js';
import { STORED } from '../../assembly/fuzzing/fuzz-campaign.js';
import { codecOf } from '../../assembly/fuzzing/emitted.js';
import type { JUnitCase, JUnitSuite } from '../junit.js';

/** The most places and notes that the text names. */
const MAX_MISSED = 40;
const MAX_NOTES = 10;

export interface FuzzedDar {
  readonly project: FuzzProject;
  readonly report: FuzzReport;
  /** The bugs that fail the run, with their shortest steps. */
  readonly reproduced: readonly ReproducedBug[];
  readonly coverage: CoverageSummary;
  /** How many stored sequences do not fit the packages. */
  readonly unfit: number;
  /** How many branches the solver reached; undefined without it. */
  readonly solved: number | undefined;
  /** Whether a signal ended the run. */
  readonly isStopped: boolean;
}

const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;

export function reportText(fuzzed: FuzzedDar): string {
  const { project, report, reproduced, coverage, unfit, solved, isStopped } = fuzzed;
  const { counts, bugs, seed } = report;
  const { main, settings, start } = project;
  const submissions = counts.accepted + counts.rejected;
  const share = submissions === 0 ? 0 : Math.round((100 * counts.accepted) / submissions);
  const notes = bugs.filter(({ finding }) => finding.isNote === true);
  return linesText([
    `${basename(settings.file)} (${main.name} ${main.version}), seed ${seed}`,
    `  ${counted(counts.sequences, 'sequence')}, ${counted(counts.steps, 'step')}; ${share} % of ${counted(submissions, 'submission')} accepted`,
    `  start: ${counted(start.parties.length, 'party', 'parties')}, ${counted(start.contracts.length, 'contract')}`,
    ...(isStopped ? ['  stopped by a signal'] : []),
    ...(unfit === 0 ? [] : [`  ${counted(unfit, 'stored sequence')} of another model left out`]),
    ...(solved === undefined
      ? []
      : [`  the solver reached ${counted(solved, 'more branch', 'more branches')}`]),
    '',
    ...(reproduced.length === 0 ? ['  no bug found'] : reproduced.flatMap(bugLines)),
    ...noteLines(notes),
    '',
    ...neverLines(counts.actions),
    ...coverageLines(coverage),
  ]);
}

function bugLines(bug: ReproducedBug): readonly string[] {
  const [title = '', ...lines] = bug.story;
  const { sequence, times } = bug.bug;
  const how =
    sequence === STORED
      ? 'in a stored sequence'
      : sequence < 0
        ? 'in the whole run'
        : `in ${counted(times, 'sequence')}, first in sequence ${sequence}`;
  const indented = lines.map((line) => (line === '' ? '' : `    ${line}`));
  return [`  ✗ ${title}`, `      ${how}`, ...indented, ''];
}

/** Actions that were always rejected, with the most frequent error. */
function neverLines(actions: readonly ActionCount[]): readonly string[] {
  const never = actions.filter(({ accepted }) => accepted === 0);
  if (never.length === 0) return [];
  const lines = never.slice(0, MAX_MISSED).map(({ action, rejected }) => {
    const [most] = Object.entries(rejected).sort(([, a], [, b]) => b - a);
    return `  ${action}: ${most![0]}`;
  });
  const more = never.length - MAX_MISSED;
  return ['Always rejected:', ...lines, ...(more > 0 ? [`  and ${more} more`] : []), ''];
}

/** The places of notes, by check. */
function noteLines(notes: readonly FoundBug[]): readonly string[] {
  const byCheck = new Map<string, string[]>();
  for (const { finding } of notes)
    byCheck.set(finding.check, [...(byCheck.get(finding.check) ?? []), finding.place]);
  const lines = [...byCheck].flatMap(([check, places]) => {
    const more = places.length - MAX_NOTES;
    const shown = places.slice(0, MAX_NOTES).map((place) => `      ${place}`);
    return [`  · ${check}`, ...shown, ...(more > 0 ? [`      and ${more} more`] : [])];
  });
  return lines.length === 0 ? [] : ['', 'Notes, which do not fail the run:', ...lines];
}

const shareText = ({ reached, all }: Share, what: string): string =>
  `${reached.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} ${what}`;

function coverageLines({
  lines,
  branches,
  missedBranches,
  missedLines,
}: CoverageSummary): readonly string[] {
  const known = [
    ...(lines === undefined ? [] : [shareText(lines, 'lines')]),
    shareText(branches, 'branches'),
  ];
  const missed = [
    ...missedBranches.map(missedText),
    ...missedLines.map(({ path, lines: all }) => `${path}: never ran: ${rangesText(all)}`),
  ];
  const more = missed.length - MAX_MISSED;
  return [
    `Coverage: ${known.join(', ')}`,
    ...missed.slice(0, MAX_MISSED).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const missedText = ({ module, line, definition, condition, when }: MissedBranch): string =>
  `${module}${line === undefined ? '' : `:${line}`}, ${definition}: waits for ${when} of ${condition}`;

/** `3-5, 8`. */
function rangesText(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

const linesText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

export function reportJson({ project, report, coverage }: FuzzedDar): object {
  const { main, settings, start } = project;
  const codec = codecOf(project);
  return {
    file: settings.file,
    package: { name: main.name, version: main.version, id: main.id },
    seed: settings.seed,
    start: { parties: start.parties, contracts: start.contracts.length },
    ...report.counts,
    bugs: report.bugs.map(({ finding, steps, sequence, times }) => {
      const { check, place, message, templateId, choice, at, isNote = false } = finding;
      return {
        ...{ check, place, message, templateId, choice, at, isNote, sequence, times },
        steps: steps.map((step) => codec.encode(step)),
      };
    }),
    coverage,
  };
}

/** A case for each check that found a bug, and one for the run. */
export function suiteOf({ project, report, reproduced }: FuzzedDar): JUnitSuite {
  const classname = project.main.name;
  const cases = reproduced.map((bug): JUnitCase => {
    const { check, place, message } = bug.reproduction.finding;
    const text = bugLines(bug).join('\n');
    return { name: `${check}: ${place}`, classname, failure: { message, text } };
  });
  const whole = { name: `${report.counts.sequences} sequences`, classname };
  return { name: basename(project.settings.file), cases: [whole, ...cases] };
}
