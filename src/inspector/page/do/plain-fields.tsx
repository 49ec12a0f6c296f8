/** The fields of a form without nested fields: texts, selections, JSON; and the common parts of all fields. */
import { useEffect } from 'preact/hooks';
import { visible } from '../parts/format.js';
import type { DamlType, Scope } from './daml-type.js';

/** Receives the current value, because several fields may change at once. */
export type Update = (change: (last: unknown) => unknown) => void;

export interface FormProps {
  readonly type: DamlType;
  readonly scope: Scope;
  readonly value: unknown;
  readonly update: Update;
  /** The accessible name. */
  readonly label: string;
  readonly depth?: number;
}

/** The initial value, if the form has none. */
export function useFirst({ value, update }: FormProps, first: unknown): void {
  useEffect(() => {
    if (value === undefined && first !== undefined)
      update((last) => (last === undefined ? first : last));
  }, []);
}

const HINTS: Readonly<Record<string, string>> = {
  Int: '0',
  Numeric: '1.0',
  Time: '2026-01-01T00:00:00Z',
  Date: '2026-01-01',
  Party: 'a party',
};
const FIRSTS: Readonly<Record<string, unknown>> = { '()': {}, Bool: false, Text: '' };

export function ScalarField(props: FormProps & { name: string }) {
  const { name, value, update, label } = props;
  useFirst(props, FIRSTS[name]);
  if (name === '()') return <span class="faint">nothing to say</span>;
  if (name === 'Bool')
    return (
      <input
        type="checkbox"
        aria-label={label}
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => update(() => checked)}
      />
    );
  const list = name === 'Party' ? 'parties' : undefined;
  return <TextField {...props} hint={HINTS[name] ?? ''} isMono={name !== 'Text'} list={list} />;
}

export function TextField({
  value,
  update,
  label,
  hint,
  isMono = false,
  list,
}: FormProps & { hint: string; isMono?: boolean; list?: string | undefined }) {
  return (
    <input
      class={isMono ? 'mono' : ''}
      aria-label={label}
      value={typeof value === 'string' ? value : ''}
      placeholder={hint}
      list={list}
      spellcheck={false}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value;
        update(() => text);
      }}
    />
  );
}

export const Add = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" class="small" aria-label={`Add to ${label}`} onClick={onClick}>
    + add
  </button>
);

export const Remove = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" class="small quiet" aria-label={`Remove ${label}`} onClick={onClick}>
    ×
  </button>
);

export function Chosen({
  names,
  chosen,
  choose,
  label,
}: {
  names: readonly string[];
  chosen: unknown;
  choose: (name: string) => void;
  label: string;
}) {
  return (
    <select
      aria-label={label}
      value={typeof chosen === 'string' ? chosen : ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}

/** A value of an unknown type: JSON as the Ledger API reads it. An input that is not valid JSON yet is a text. */
export function JsonField({ value, update, label }: FormProps) {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return (
    <textarea
      class="mono"
      rows={2}
      aria-label={label}
      placeholder="JSON"
      value={text}
      onInput={({ currentTarget }) => {
        const given = currentTarget.value;
        update(() => parsedOr(given));
      }}
    />
  );
}

function parsedOr(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? parsed : text;
  } catch {
    return text;
  }
}
