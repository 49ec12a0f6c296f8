/** The Daml in which the chosen node stands, with what every node that stands in it did, at its line. */
import type { ComponentChildren } from 'preact';
import type {
  InspectedPackage,
  InspectedSource,
  Trace,
  TraceNode,
} from '../../../spec/generated/control.js';
import { Empty, Panel } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { Source } from '../parts/source.js';
import { ask } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { hrefHere } from '../state/route.js';
import { digest } from '../parts/digest.js';
import type { Sees } from './seen.js';
import { NodeWords } from './words.js';

export function NodeSource({ trace, node, sees }: { trace: Trace; node: TraceNode; sees: Sees }) {
  // What has no place of its own is shown where its parent's choice is declared; a root is a command, which stands in no code.
  const { at } = node;
  const isCalled = at == null && node.kind !== 'exercise' && node.parent != null;
  const shown = isCalled ? trace.nodes[node.parent!]! : node;
  const module = at?.module ?? nameIn(shown.templateId);
  const packages = [
    ...new Set(trace.nodes.flatMap(({ templateId, interfaceId }) => [templateId, interfaceId])),
  ]
    .flatMap((id) => id?.split(':')[0] ?? [])
    .sort(
      (a, b) => Number(node.templateId?.startsWith(b)) - Number(node.templateId?.startsWith(a)),
    );
  const isTypeScript = at?.file != null || isOfTypeScript(trace, node);
  const loaded = useLoaded(
    module === undefined || isTypeScript ? undefined : `${module} ${packages.join(' ')}`,
    (signal) => sourceOf(module!, packages, signal),
    false,
  );
  const source = loaded.value;
  return (
    <Panel
      title={<span class="mono">{visible(at?.file ?? module ?? 'Source')}</span>}
      kind="flush source-panel"
    >
      {source ? (
        <Source
          text={source.text}
          line={at?.line ?? lineOf(shown, source.text)}
          notes={notesIn(trace, module!, sees, node)}
        />
      ) : loaded.isLoading ? (
        <p class="empty loading">…</p>
      ) : (
        <Empty>
          {at?.file != null
            ? `Written in TypeScript: ${visible(at.file)}, line ${at.line}.`
            : isTypeScript
              ? 'Written in TypeScript.'
              : module === undefined
                ? 'This node is of no code.'
                : 'No DAR that was uploaded carries the Daml of this module.'}
        </Empty>
      )}
    </Panel>
  );
}

const isOfTypeScript = (trace: Trace, { id, at }: TraceNode): boolean =>
  at == null && trace.nodes.some((each) => each.parent === id && each.at?.file != null);

/** As interfaces of the token standard name the method that a choice calls: `transferInstruction_acceptImpl`. */
const implementationOf = (choice: string): string =>
  `${choice.replace(/(^|_)([A-Z])/g, (_, before: string, letter: string) => before + letter.toLowerCase())}Impl`;

/** Where a choice, or a template, is declared; of a choice of an interface where the interface is implemented. */
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

/** A module by its name alone: in the packages that the trace names, and then in what these refer to. */
async function sourceOf(
  module: string,
  packages: readonly string[],
  signal: AbortSignal,
): Promise<InspectedSource | undefined> {
  const tried = new Set<string>();
  for (let next = [...packages]; next.length > 0 && tried.size < MOST_PACKAGES;) {
    const found = await Promise.all(
      next.map((id) =>
        ask<InspectedPackage>(`inspection/packages/${id}`, {}, signal).catch(() => undefined),
      ),
    );
    next.forEach((id) => tried.add(id));
    const holder = found.find((each) => each?.sources.includes(module));
    if (holder !== undefined)
      return ask(
        `inspection/packages/${holder.id}/sources/${encodeURIComponent(module)}`,
        {},
        signal,
      );
    next = [...new Set(found.flatMap((each) => each?.dependencies ?? []))].filter(
      (id) => !tried.has(id),
    );
  }
  return undefined;
}

const MOST_PACKAGES = 60;

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
