/** A Daml value in the format of the JSON Ledger API: a collapsible tree, in which ids are links. */
import { useState } from 'preact/hooks';
import { ContractId, Party } from './ids.js';
import { isContractId, isPartyId, plural, visible } from './format.js';
import { Text } from './text.js';

/** Entries of a list or a record that are shown before one asks for more. */
const MOST = 50;
/** Deeper than this it starts folded. */
const OPEN_DEPTH = 2;
/** The name of a field, or the key of a map. */
const MOST_OF_NAME = 200;

export function Value({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value === 'string') return <Scalar text={value} />;
  if (value === null || value === undefined) return <span class="faint">none</span>;
  if (typeof value !== 'object') return <span class="literal">{String(value)}</span>;
  const entries = Object.entries(value);
  if (entries.length === 0)
    return <span class="faint">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  return <Entries entries={entries} depth={depth} />;
}

function Scalar({ text }: { text: string }) {
  if (isContractId(text)) return <ContractId id={text} />;
  if (isPartyId(text)) return <Party party={text} />;
  if (text === '') return <span class="faint">“”</span>;
  return (
    <span class="literal">
      <Text text={text} />
    </span>
  );
}

type Entry = readonly [name: string, value: unknown];

function Entries({ entries, depth }: { entries: readonly Entry[]; depth: number }) {
  const [most, setMost] = useState(MOST);
  return (
    <div class="fields">
      {entries.slice(0, most).map(([name, value]) =>
        isCompound(value) ? (
          <Folding key={name} name={name} value={value} depth={depth + 1} />
        ) : (
          <div key={name} class="leaf">
            <span class="field-name">{nameOf(name)}</span>
            <Value value={value} />
          </div>
        ),
      )}
      {entries.length > most && (
        <button type="button" class="fold" onClick={() => setMost(most * 10)}>
          {plural(entries.length - most, 'more', 'more')}
        </button>
      )}
    </div>
  );
}

function Folding({ name, value, depth }: { name: string; value: object; depth: number }) {
  const [isOpen, setOpen] = useState(depth <= OPEN_DEPTH);
  return (
    <div>
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="turn">{isOpen ? '▾' : '▸'}</span>
        <span class="field-name">{nameOf(name)}</span> {summaryOf(value, isOpen)}
      </button>
      {isOpen && (
        <div class="inner">
          <Value value={value} depth={depth} />
        </div>
      )}
    </div>
  );
}

const isCompound = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const nameOf = (name: string): string => visible(name.slice(0, MOST_OF_NAME));

function summaryOf(value: object, isOpen: boolean): string {
  if (Array.isArray(value)) return plural(value.length, 'element');
  if (isOpen) return '';
  const names = Object.keys(value);
  const shown = names.slice(0, 3).map((name) => visible(name.slice(0, 40)));
  return `{ ${shown.join(', ')}${names.length > 3 ? ', …' : ''} }`;
}
