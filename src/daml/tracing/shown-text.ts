/** Texts of a trace for display: short party names, without characters that could control a terminal or a page. */
import type { Place } from '../errors/explanation.js';
import { spelledOut } from '../errors/printable.js';
import type { TraceNode } from './trace-types.js';

const SHORT_ID = 12;

export const plain = spelledOut;

/** `alice` for `alice::1220…`. */
export const partyName = (party: string): string => plain(party.split('::')[0]!);

export const shortened = (text: string, most: number): string =>
  text.length <= most ? plain(text) : `${plain(text.slice(0, most))}…`;

export const shortId = (id: string): string =>
  id.length <= SHORT_ID ? plain(id) : `${plain(id.slice(0, SHORT_ID))}…`;

export const placeText = (at: Place): string =>
  plain(`${'module' in at ? at.module : at.file}:${at.line}:${at.column}`);

/** `Module:Entity` of the node's interface or template. */
export function nameOf({ interface: through, template }: TraceNode): string {
  const id = through ?? template ?? '';
  return plain(id.slice(id.indexOf(':') + 1));
}

/** A one-line title: `exercise Main:Iou Transfer`. */
export const titleOf = (node: TraceNode): string =>
  [node.kind, nameOf(node), plain(node.choice ?? '')].filter((word) => word !== '').join(' ');
