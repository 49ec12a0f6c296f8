/** A trace as a tree of lines for terminals. */
import type { TraceNode, TransactionTrace } from './trace-types.js';
import { partyName, placeText, plain, shortened, shortId, titleOf } from './shown-text.js';

const MAX_VALUE = 200;
const CODES = { bad: 31, good: 32, weak: 2, name: 1 } as const;
const MARKED = { code: '', name: ', found by name', choice: ', in this choice' } as const;
const MARKS = { done: '✓', failed: '✗', rolledBack: '↺', notReached: '·' } as const;

/** @param colors whether to paint it for a terminal */
export function traceText(trace: TransactionTrace, colors = false): string {
  const paint = (style: keyof typeof CODES, text: string): string =>
    colors ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
  const lines = headOf(trace).map((line) => paint('weak', line));
  if (trace.error !== undefined)
    lines.push(paint('bad', plain(`${trace.error.code}: ${trace.error.cause}`)));
  const children = new Map<number | undefined, TraceNode[]>();
  for (const node of trace.nodes) {
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }
  const add = (node: TraceNode, lead: string, below: string): void => {
    const style = node.outcome === 'failed' ? 'bad' : node.outcome === 'done' ? 'good' : 'weak';
    const on =
      node.contractId === undefined ? '' : paint('weak', ` on ${shortId(node.contractId)}`);
    const number = node.nodeId === undefined ? '' : paint('weak', ` #${node.nodeId}`);
    const title = paint('name', titleOf(node));
    lines.push(`${lead}${paint(style, MARKS[node.outcome])} ${title}${on}${number}`);
    const nested = children.get(node.id) ?? [];
    const rail = nested.length > 0 ? '│    ' : '     ';
    for (const line of detailsOf(node))
      lines.push(`${below}${rail}${paint(line.startsWith('missing') ? 'bad' : 'weak', line)}`);
    nested.forEach((child, index) => {
      const isLast = index === nested.length - 1;
      add(child, `${below}${isLast ? '└─ ' : '├─ '}`, `${below}${isLast ? '   ' : '│  '}`);
    });
  };
  for (const root of children.get(undefined) ?? []) add(root, '', '');
  for (const place of trace.stack ?? []) lines.push(`at     ${placeText(place)}`);
  for (const reason of trace.reasons ?? []) lines.push(`why    ${plain(reason)}`);
  return `${lines.join('\n')}\n`;
}

function headOf({ outcome, update, submission, steps }: TransactionTrace): readonly string[] {
  const lines: string[] = [];
  if (update !== undefined)
    lines.push(
      `${outcome} ${update.kind} ${update.updateId}`,
      `${update.recordTime} on ${plain(update.synchronizer)}`,
    );
  else lines.push(outcome);
  if (submission !== undefined) {
    const { participant, commandId, actAs } = submission;
    lines.push(`${list(actAs)} at ${plain(participant)}, command ${plain(commandId)}`);
  }
  if (steps !== undefined) lines.push(`${steps} steps`);
  return lines;
}

const list = (parties: readonly string[]): string =>
  parties.length === 0 ? 'nobody' : parties.map(partyName).join(', ');

function detailsOf(node: TraceNode): readonly string[] {
  const lines: string[] = [];
  const value = (word: string, json: unknown): void => {
    if (json !== undefined) lines.push(`${word} ${shortened(JSON.stringify(json), MAX_VALUE)}`);
  };
  if (node.at !== undefined) lines.push(`at ${placeText(node.at)}${MARKED[node.placed ?? 'code']}`);
  for (const { at, placed = 'code' } of node.calls?.slice(1) ?? [])
    if (at !== undefined) lines.push(`called at ${placeText(at)}${MARKED[placed]}`);
  value('by key', node.key);
  value('with', node.argument);
  value('result', node.result);
  if (node.source !== undefined)
    lines.push(
      `from ${shortId(node.source)} to ${shortId(node.target!)}, counter ${node.reassignmentCounter}`,
    );
  const { had = [], needed, anyOf, missing = [] } = node.authority ?? {};
  if (needed !== undefined)
    lines.push(`needs ${anyOf ? 'one of ' : ''}${list(needed)}; has ${list(had)}`);
  if (missing.length > 0) lines.push(`missing ${list(missing)}`);
  if (node.witnesses.length > 0) {
    const seen = node.witnesses.map(({ party, reasons, through }) => {
      const by = through === undefined ? '' : ` by ${through}`;
      return `${partyName(party)} (${reasons.join(', ')}${by})`;
    });
    lines.push(`seen by ${seen.join(', ')}`);
  }
  for (const message of node.messages ?? []) lines.push(`said ${shortened(message, MAX_VALUE)}`);
  return lines;
}
