/** `canticle trace`: shows the trace of a submission on a running Canticle as a tree, as JSON, or as a picture. */
import { diffTraces } from '../../daml/tracing/trace-diff.js';
import { flameGraph, sequenceDiagram } from '../../daml/tracing/trace-pictures.js';
import { traceText } from '../../daml/tracing/trace-text.js';
import type { StepProfile } from '../../daml/tracing/step-profile.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { fromControls, usingAnswer } from '../running-program.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE = 30_000;

export interface TraceFlags {
  readonly url: string;
  readonly json?: true;
  readonly commandId?: string;
  readonly request?: string;
  readonly diff?: string;
  readonly svg?: string;
  readonly flame?: string;
}

/** @returns the exit status: 1 where two traces that are compared are different */
export async function showTrace(
  updateId: string | undefined,
  flags: TraceFlags,
  { stdout }: Terminal,
): Promise<number> {
  const { url, json, svg, flame, diff } = flags;
  const trace = await at<TransactionTrace>(url, pathOf(updateId, flags));
  if (svg !== undefined)
    writeResult(
      svg,
      usingAnswer(url, () => sequenceDiagram(trace)),
    );
  if (flame !== undefined) {
    const profile = await profileOf(trace, flags);
    writeResult(
      flame,
      usingAnswer(url, () => flameGraph(profile)),
    );
  }
  if (diff !== undefined) {
    const other = await at<TransactionTrace>(url, `traces/${encodeURIComponent(diff)}`);
    const changes = usingAnswer(url, () => diffTraces(trace, other));
    stdout.write(`${JSON.stringify(changes, undefined, 2)}\n`);
    return changes.length === 0 ? 0 : 1;
  }
  if (json) stdout.write(`${JSON.stringify(trace, undefined, 2)}\n`);
  else if (svg === undefined && flame === undefined)
    stdout.painted(usingAnswer(url, () => traceText(trace, stdout.isTTY === true)));
  return 0;
}

function pathOf(updateId: string | undefined, { commandId, request }: TraceFlags): string {
  const named = [updateId, commandId, request].filter((each) => each !== undefined);
  if (named.length !== 1)
    throw new CommandFailed('failed to trace: pass an update id, --command-id or --request.');
  if (updateId !== undefined) return `traces/${encodeURIComponent(updateId)}`;
  if (commandId !== undefined) return `traces?commandId=${encodeURIComponent(commandId)}`;
  return `requests/${encodeURIComponent(request!)}/trace`;
}

/** A command has no such line if the participant rejected it by its command id. Then its nodes replace it, as without Daml code. */
async function profileOf(
  trace: TransactionTrace,
  { url, request }: TraceFlags,
): Promise<StepProfile | TransactionTrace> {
  const { update, steps = 0 } = trace;
  if (steps === 0 || (update === undefined && request === undefined)) return trace;
  const of = update === undefined ? `requests/${request!}` : `traces/${update.updateId}`;
  return await at<StepProfile>(url, `${of}/profile`);
}

async function at<Answer>(url: string, path: string): Promise<Answer> {
  const { status, bytes } = await fromControls(url, path, { patience: PATIENCE }, (side, target) =>
    side.request({ target }),
  );
  const text = bytes.toString();
  if (status !== 200) throw new CommandFailed(`failed to trace: ${reasonIn(text)}`);
  return usingAnswer(`${url}/${path}`, () => requireObject(JSON.parse(text)) as Answer);
}

function requireObject(json: unknown): object {
  if (isJsonObject(json)) return json;
  throw new Error('it is not an object');
}

function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : text;
  } catch {
    return text;
  }
}
