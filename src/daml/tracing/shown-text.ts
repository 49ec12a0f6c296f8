/** Texts of a trace as people are shown them: names of parties short, nothing in them that a terminal or a page would obey. */
import type { Place } from '../errors/explanation.js';
import { spelledOut } from '../errors/printable.js';
import type { TraceNode } from './trace-types.js';

const SHORT_ID = 12;

export const plain = spelledOut;

/** `alice` of `alice::1220…`. */
export const partyName = (party: string): string => plain(party.split('::')[0]!);

export const shortened = (text: string, most: number): string =>
  text.length <= most ? plain(text) : `${plain(text.slice(0, most))}…`;

export const shortId = (id: string): string =>
  id.length <= SHORT_ID ? plain(id) : `${plain(id.slice(0, SHORT_ID))}…`;

export const placeText = (at: Place): string =>
  plain(`${'module' in at ? at.module : at.file}:${at.line}:${at.column}`);

/** `Module:Entity` of what it is about. */
export function nameOf({ interface: through, template }: TraceNode): string {
  const id = through ?? template ?? '';
  return plain(id.slice(id.indexOf(':') + 1));
}

/** What it is, in a line: `exercise Main:Iou Transfer`. */
export const titleOf = (node: TraceNode): string =>
  [node.kind, nameOf(node), plain(node.choice ?? '')].filter((word) => word !== '').join(' ');
