/** The Daml source of the selected node. Each line shows the nodes that it produced. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  InspectedPackages,
  InspectedSource,
  Trace,
  TraceNode,
} from '../../../spec/generated/control.js';
import { Empty, Panel } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { Source } from '../parts/source.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { usePackages } from '../state/world.js';
import { packageOf } from '../packages/load.js';
import { hrefHere } from '../state/route.js';
import { digest } from '../parts/digest.js';
import type { Sees } from './seen.js';
import { NodeWords } from './words.js';

type Heads = InspectedPackages['packages'];

interface Call {
  /** `Module:function`. */
  readonly name?: string | undefined;
  readonly at: NonNullable<TraceNode['at']>;
  readonly placed?: string | null | undefined;
}

/** The location of the node, and the callers of its function. */
function callsOf({ at, placed, calls }: TraceNode): readonly Call[] {
  const [first, ...others] = calls ?? [];
  return [
    ...(at == null ? [] : [{ name: first?.function ?? undefined, at, placed }]),
    ...others.flatMap((call) =>
      call.at == null || (call.at.line === at?.line && call.at.module === at.module)
        ? []
        : [{ name: call.function ?? undefined, at: call.at, placed: call.placed }],
    ),
  ];
}

export function NodeSource({ trace, node, sees }: { trace: Trace; node: TraceNode; sees: Sees }) {
  // A node without a location is shown at the declaration of its parent's choice. A root node is a command, which has
  // no source.
  const isCalled = node.at == null && node.kind !== 'exercise' && node.parent != null;
  const shown = isCalled ? trace.nodes[node.parent!]! : node;
  const packages = [
    ...new Set(trace.nodes.flatMap(({ templateId, interfaceId }) => [templateId, interfaceId])),
  ]
    .flatMap((id) => id?.split(':')[0] ?? [])
    .sort(
      (a, b) => Number(node.templateId?.startsWith(b)) - Number(node.templateId?.startsWith(a)),
    );
  const heads = usePackages();
  const calls = callsOf(node);
  const [chosen, setChosen] = useState<{ node: TraceNode; index: number }>();
  const chosenIndex = chosen?.node === node ? chosen.index : undefined;
  // If no DAR contains the module's source, the node is shown at its call.
  const wanted = chosenIndex === undefined ? calls : [calls[chosenIndex]!];
  const modules = wanted.flatMap(({ at }) => at.module ?? []);
  const own = nameIn(shown.templateId);
  if (modules.length === 0 && own !== undefined) modules.push(own);
  const isTypeScript = node.at?.file != null || isOfTypeScript(trace, node);
  const isWanted = modules.length > 0 && !isTypeScript;
  // A page that opens here has not loaded the packages yet.
  const isAwaited = isWanted && heads.length === 0;
  const loaded = useLoaded(
    isWanted && !isAwaited ? `${modules.join(' ')} ${packages.join(' ')}` : undefined,
    (signal) => firstSourceOf([...new Set(modules)], packages, heads, signal),
    false,
  );
  const { source, module = modules[0] } = loaded.value ?? {};
  const call = wanted.find(({ at }) => at.module === module) ?? wanted[0];
  const at = call?.at ?? node.at;
  return (
    <Panel
      title={<span class="mono">{visible(at?.file ?? module ?? 'Source')}</span>}
      kind="flush source-panel"
    >
      {calls.length > 0 && !isTypeScript && (
        <nav class="calls" aria-label="Called from">
          {calls.map((each, index) => (
            <button
              key={index}
              class={each === call ? 'call chosen' : 'call'}
              onClick={() => setChosen({ node, index })}
              title={titleOf(each)}
            >
              {visible(shortName(each))}:{each.at.line}
              {each.placed != null && <span class="faint"> {WORDS[each.placed]}</span>}
            </button>
          ))}
        </nav>
      )}
      {source ? (
        <Source
          text={source.text}
          line={at?.line ?? lineOf(shown, source.text)}
          notes={notesIn(trace, module!, sees, node)}
        />
      ) : loaded.isLoading || isAwaited ? (
        <p class="empty loading">…</p>
      ) : (
        <Empty>
          {at?.file != null
            ? `Written in TypeScript: ${visible(at.file)}, line ${at.line}.`
            : isTypeScript
              ? 'Written in TypeScript.'
              : module === undefined
                ? 'This node has no source.'
                : 'No uploaded DAR contains the Daml source of this module.'}
        </Empty>
      )}
    </Panel>
  );
}

const WORDS: Readonly<Record<string, string>> = { name: 'by name', choice: 'in this choice' };
const TITLES: Readonly<Record<string, string>> = {
  name: 'Archives have no location inside choices: this is the only statement that can be the source.',
  choice: 'Archives have no location inside choices: this is the start of the choice.',
};

const titleOf = ({ name, at, placed }: Call): string =>
  [`${visible(at.module ?? '')}:${at.line}:${at.column}`, visible(name ?? ''), TITLES[placed ?? '']]
    .filter(Boolean)
    .join('\n');

/** Finds a function or a choice by its name. */
const shortName = ({ name, at }: Call): string =>
  name?.split(/[ :]/).at(-1) ?? at.module?.split('.').at(-1) ?? '';

const isOfTypeScript = (trace: Trace, { id, at }: TraceNode): boolean =>
  at == null && trace.nodes.some((each) => each.parent === id && each.at?.file != null);

/** The name of the method that a choice of the token standard calls: `transferInstruction_acceptImpl`. */
const implementationOf = (choice: string): string =>
  `${choice.replace(/(^|_)([A-Z])/g, (_, before: string, letter: string) => before + letter.toLowerCase())}Impl`;

/** The declaration of a choice or a template. For a choice of an interface: the interface's implementation. */
function lineOf({ choice, template, interface: by }: TraceNode, text: string): number | undefined {
  const entity = (id: string | null | undefined) => id?.split(':')[2] ?? '';
  const patterns =
    choice == null
      ? [`^\\s*template\\s+${entity(template)}\\b`]
      : [
          `\\bchoice\\s+${choice}\\b`,
          `\\b${implementationOf(choice)}\\b`,
          `\\binterface\\s+instance\\s+\\S*\\b${entity(by)}\\s+for\\b`,
          `^\\s*template\\s+${entity(template)}\\b`,
        ];
  const lines = text.split('\n');
  for (const pattern of patterns.filter((each) => /^[\w\\^$*+.]+$/.test(each.replace(/\s/g, '')))) {
    const found = lines.findIndex((line) => new RegExp(pattern).test(line));
    if (found >= 0) return found + 1;
  }
  return undefined;
}

const nameIn = (id: string | null | undefined): string | undefined => id?.split(':')[1];

/** The first location that exists. */
async function firstSourceOf(
  modules: readonly string[],
  packages: readonly string[],
  heads: Heads,
  signal: AbortSignal,
): Promise<{ readonly source: InspectedSource; readonly module: string } | undefined> {
  for (const module of modules) {
    const source = await sourceOf(module, packages, heads, signal);
    if (source !== undefined) return { source, module };
  }
  return undefined;
}

/** Finds a module by its name in the packages of the trace, or in their dependencies. */
async function sourceOf(
  module: string,
  packages: readonly string[],
  heads: Heads,
  signal: AbortSignal,
): Promise<InspectedSource | undefined> {
  const holders = heads.flatMap(({ id, sources }) => (sources.includes(module) ? [id] : []));
  const holder =
    holders.length > 1 ? await nearestOf(holders, packages) : (holders[0] ?? undefined);
  return holder === undefined
    ? undefined
    : fetchJson(`inspection/packages/${holder}/sources/${encodeURIComponent(module)}`, {}, signal);
}

const MOST_PACKAGES = 60;

async function nearestOf(
  holders: readonly string[],
  packages: readonly string[],
): Promise<string | undefined> {
  const tried = new Set<string>();
  for (let next = [...packages]; next.length > 0 && tried.size < MOST_PACKAGES;) {
    const found = next.find((id) => holders.includes(id));
    if (found !== undefined) return found;
    next.forEach((id) => tried.add(id));
    const known = await Promise.all(next.map((id) => packageOf(id).catch(() => undefined)));
    const below = known.flatMap((each) => each?.dependencies ?? []);
    next = [...new Set(below)].filter((id) => !tried.has(id));
  }
  return holders[0];
}

function notesIn(
  trace: Trace,
  module: string,
  sees: Sees,
  chosen: TraceNode,
): ReadonlyMap<number, ComponentChildren> {
  const byLine = new Map<number, TraceNode[]>();
  for (const node of trace.nodes)
    if (node.at?.module === module && sees(node))
      byLine.set(node.at.line, [...(byLine.get(node.at.line) ?? []), node]);
  return new Map(
    [...byLine].map(([line, nodes]) => [
      line,
      nodes.map((node) => (
        <a
          key={node.id}
          href={hrefHere({ node: String(node.id) })}
          class={node === chosen ? 'step chosen' : 'step'}
        >
          <NodeWords node={node} />{' '}
          <span class="faint">{digest(node.argument ?? node.payload)}</span>
        </a>
      )),
    ]),
  );
}
