/** Daml source with line numbers, simple highlighting, and notes at lines that ran. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from './format.js';

/** Highlights comments, texts, numbers, keywords and type names. */
const TOKEN =
  /(--.*$|\{-.*?-\})|("(?:[^"\\]|\\.)*")|\b(\d[\d_.]*)\b|\b(module|where|import|qualified|as|hiding|template|with|signatory|observer|ensure|key|maintainer|choice|nonconsuming|preconsuming|postconsuming|controller|do|let|in|if|then|else|case|of|data|type|newtype|interface|instance|for|viewtype|view|requires|deriving|class|return|pure|create|exercise|exerciseByKey|fetch|archive|try|catch|forall|abort|assertMsg|require)\b|\b([A-Z][\w']*)/g;
const KINDS = ['comment', 'string', 'number', 'keyword', 'type'];

function coloured(line: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > end) parts.push(visible(line.slice(end, match.index)));
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(<span class={`t-${kind}`}>{visible(match[0])}</span>);
    end = match.index + match[0].length;
  }
  if (end < line.length) parts.push(visible(line.slice(end)));
  return parts;
}

export interface SourceProps {
  readonly text: string;
  /** From 1; the page scrolls to it. */
  readonly line?: number | undefined;
  /** The note after a line, by line number. */
  readonly notes?: ReadonlyMap<number, ComponentChildren>;
  /** How often each line ran: 0 for never, undefined where it was not counted. */
  readonly marks?: ReadonlyMap<number, 'hit' | 'missed'>;
}

export function Source({ text, line, notes, marks }: SourceProps) {
  const lines = text.split('\n');
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => chosen.current?.scrollIntoView({ block: 'center' }), [text, line]);
  return (
    <div class="source" tabIndex={0} role="region" aria-label="Source">
      {lines.map((each, index) => {
        const number = index + 1;
        const isChosen = number === line;
        const note = notes?.get(number);
        return (
          <div
            key={number}
            ref={isChosen ? chosen : undefined}
            class={`line${isChosen ? ' chosen' : ''}${note ? ' noted' : ''} ${marks === undefined ? '' : `counted ${marks.get(number) ?? ''}`}`}
          >
            <span class="number">{number}</span>
            <code>{coloured(each)}</code>
            {note !== undefined && <span class="note">{note}</span>}
          </div>
        );
      })}
    </div>
  );
}
