/**
 * Source locations for nodes without a location in their code. Archives have no locations within choices. Therefore,
 * the statement is searched by name in the Daml source of the choice's DAR, if a participant has it. Otherwise the
 * start of the choice is used.
 */
import {
  choiceSpans,
  functionSpans,
  type ChoiceSpan,
} from '../../daml/lf/counting/choice-spans.js';
import { standsIn, statementIn, type Statement } from '../../daml/lf/counting/choice-statements.js';
import { splitTypeId, type PackageId, type TypeId } from '../../daml/model/types.js';
import type { PlacedBy, TraceCall, TraceNode } from '../../daml/tracing/trace-types.js';
import type { Place } from '../../daml/errors/explanation.js';
import { sourcesOf } from '../inspection/packages.js';
import type { Network } from '../network.js';

interface Spans {
  readonly choices: readonly ChoiceSpan[];
  readonly functions: readonly ChoiceSpan[];
}

/** By module. */
type Text = ReadonlyMap<string, Spans>;

/**
 * By package id, which is the hash of the compiled code. Of DARs that differ only in their sources, the first one
 * counts.
 */
const known = new WeakMap<Network, Map<PackageId, Text>>();

interface Placed {
  readonly at: Place;
  readonly placed: PlacedBy;
}

/** @param nodes the nodes of commands that were run again */
export function withChoicePlaces(
  network: Network,
  nodes: readonly TraceNode[],
): readonly TraceNode[] {
  const siblings = new Map<string, TraceNode[]>();
  for (const node of nodes) {
    const key = keyOf(nodes, node);
    siblings.set(key, [...(siblings.get(key) ?? []), node]);
  }
  return nodes.map((node) => {
    const { calls = [], ...rest } = node;
    if (node.kind === 'rollback') return rest;
    const around = exerciseAround(nodes, node);
    const choice = around && choiceOf(network, around);
    const isInChoice = calls.length <= 1;
    const placed = (statement: Statement, index = 0, count = 1): Placed | undefined => {
      if (choice === undefined) return undefined;
      const { module, span } = choice;
      const found = statementIn(span, statement, index, count);
      return found === undefined
        ? { at: { module, line: span.line, column: span.column + 1 }, placed: 'choice' }
        : { at: { module, ...found }, placed: 'name' };
    };
    // The compiler removes a function that only renames another function. Then the name of that other function counts.
    const calledFrom = (name: string): Placed | undefined => {
      const byName = placed({ kind: 'call', name });
      return byName?.placed === 'choice' && node.kind === 'fetch'
        ? placed(statementOf(node))
        : byName;
    };
    if (isInChoice) {
      if (node.at !== undefined) return { ...rest, ...inFunction(network, nodes, node) };
      const same = siblings.get(keyOf(nodes, node))!;
      return { ...rest, ...placed(statementOf(node), same.indexOf(node), same.length) };
    }
    const last = calls.at(-1)!;
    const name = calls.at(-2)!.function?.split(':')[1] ?? '';
    const outermost: TraceCall =
      last.at === undefined && last.function?.includes(' ') === true
        ? { ...last, ...calledFrom(name) }
        : last;
    const all = [...calls.slice(0, -1), outermost];
    const first = all.find(({ at }) => at !== undefined);
    return {
      ...rest,
      ...(node.at === undefined &&
        first !== undefined && { at: first.at!, ...(first.placed && { placed: first.placed }) }),
      ...inFunction(network, nodes, node),
      calls: all,
    };
  });
}

/**
 * A function can return actions for its caller to run, in a loop or under a condition. They have the location of the
 * function, or of its only statement that can have run them.
 */
function inFunction(
  network: Network,
  nodes: readonly TraceNode[],
  node: TraceNode,
): Placed | undefined {
  const { function: name = '', at } = node.calls?.[0] ?? {};
  const around = exerciseAround(nodes, node);
  if (at === undefined || !('module' in at) || around === undefined) return undefined;
  const [, definition] = name.split(':');
  for (const id of [around.interfaceId, around.templateId]) {
    if (id === undefined) continue;
    const spans = textOf(network, splitTypeId(id as TypeId).packageId).get(at.module)?.functions;
    const span = spans?.find((each) => each.name === definition && each.lines.includes(at.line));
    if (span === undefined) continue;
    const statement = statementOf(node);
    if (standsIn(span, statement, at.line)) return undefined;
    const found = statementIn(span, statement, 0, 0);
    return found && { at: { module: at.module, ...found }, placed: 'name' };
  }
  return undefined;
}

const statementOf = ({ kind, choice, template, interface: through }: TraceNode): Statement =>
  kind === 'exercise'
    ? { kind, choice: choice ?? '' }
    : {
        kind: kind === 'create' || kind === 'lookup' ? kind : 'fetch',
        entity: (through ?? template)?.split(':')[2] ?? '',
      };

/** A key that is equal for the same actions of the same choice. */
function keyOf(nodes: readonly TraceNode[], node: TraceNode): string {
  const around = exerciseAround(nodes, node)?.id;
  return JSON.stringify([around, (node.calls?.length ?? 0) > 1, statementOf(node)]);
}

/** The exercise whose code created the node. */
function exerciseAround(nodes: readonly TraceNode[], node: TraceNode): TraceNode | undefined {
  let { parent } = node;
  while (parent !== undefined && nodes[parent]!.kind === 'rollback') ({ parent } = nodes[parent]!);
  return parent === undefined ? undefined : nodes[parent];
}

function choiceOf(
  network: Network,
  { templateId, interfaceId, choice }: TraceNode,
): { readonly module: string; readonly span: ChoiceSpan } | undefined {
  const id = interfaceId ?? templateId;
  if (id === undefined || choice === undefined) return undefined;
  const { packageId, module, entity } = splitTypeId(id as TypeId);
  const spans = textOf(network, packageId).get(module)?.choices;
  const span = spans?.find(({ owner, name }) => owner === entity && name === choice);
  return span && { module, span };
}

function textOf(network: Network, id: PackageId): Text {
  let packages = known.get(network);
  if (packages === undefined) known.set(network, (packages = new Map()));
  let spans = packages.get(id);
  if (spans === undefined) {
    const sources = sourcesOf(network, id);
    const spansIn = (text: string): Spans => ({
      choices: choiceSpans(text),
      functions: functionSpans(text),
    });
    spans = new Map([...sources].map(([module, { text }]) => [module, spansIn(text)]));
    // Do not store an empty result: a DAR can be uploaded later.
    if (spans.size > 0) packages.set(id, spans);
  }
  return spans;
}
