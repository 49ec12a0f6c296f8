/** A value in one short line, for places without room for a tree. */
import { isContractId, isPartyId, partyName, shortId, shortened, visible } from './format.js';

const MOST = 90;

export function digest(value: unknown): string {
  const text = inLine(value, 0);
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}

function inLine(value: unknown, depth: number): string {
  if (typeof value === 'string') {
    if (isPartyId(value)) return partyName(value);
    return visible(isContractId(value) ? shortId(value) : shortened(value, 40));
  }
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (depth > 2) return '…';
  if (Array.isArray(value))
    return `[${value
      .slice(0, 3)
      .map((each) => inLine(each, depth + 1))
      .join(', ')}${value.length > 3 ? ', …' : ''}]`;
  const fields = Object.entries(value).filter(([, each]) => each !== null);
  const shown = fields
    .slice(0, 6)
    .map(([name, each]) => `${visible(name)} ${inLine(each, depth + 1)}`);
  return depth === 0 ? shown.join(' · ') : `{${shown.join(' · ')}}`;
}
