/** A short description of a node: its kind, its template, and its outcome. */
import type { TraceNode } from '../../../spec/generated/control.js';
import { entityOf, visible } from '../parts/format.js';

const GLYPHS: Readonly<Record<TraceNode['kind'], string>> = {
  create: '+',
  exercise: '→',
  fetch: '○',
  lookup: '?',
  rollback: '↺',
  unassign: '⇥',
  assign: '⇤',
};

/** How it is coloured: a choice that consumes is not like one that does not. */
const toneOf = ({ kind, consuming }: TraceNode): string =>
  kind === 'exercise' && consuming === true ? 'archive' : kind;

export const wordsOf = ({ kind, choice, template, interface: by }: TraceNode): string =>
  kind === 'exercise'
    ? `${visible(choice ?? '')} on ${visible(entityOf(template ?? by))}`
    : kind === 'rollback'
      ? 'rollback'
      : `${kind} ${visible(entityOf(template ?? by))}`;

export function NodeWords({ node }: { node: TraceNode }) {
  const { kind, choice, template, interface: by, outcome } = node;
  return (
    <span class={`node-words ${outcome}`}>
      <span class={`glyph ${toneOf(node)}`} title={kind} aria-hidden="true">
        {toneOf(node) === 'archive' ? '×' : GLYPHS[kind]}
      </span>
      {kind === 'exercise' ? (
        <>
          <strong>{visible(choice ?? '')}</strong>{' '}
          <span class="faint">{visible(entityOf(template))}</span>
          {by != null && <span class="faint"> via {visible(entityOf(by))}</span>}
        </>
      ) : kind === 'rollback' ? (
        <strong>rollback</strong>
      ) : (
        <>
          {kind} <strong>{visible(entityOf(template ?? by))}</strong>
        </>
      )}
    </span>
  );
}
