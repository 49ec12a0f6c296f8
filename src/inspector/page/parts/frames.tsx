/** The parts of views: panels, tabs, and the texts for empty lists and errors. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/live.js';
import { hrefHere } from '../state/route.js';
import { visible } from './format.js';

export function Panel({
  title,
  aside,
  children,
  kind = '',
}: {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
  kind?: string;
}) {
  return (
    <section class={`panel ${kind}`}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      <div class="body">{children}</div>
    </section>
  );
}

/** Tabs for views of one object, each with its URL. @param name the query parameter that selects the tab */
export function Tabs({
  tabs,
  chosen,
  name = 'tab',
}: {
  tabs: readonly (readonly [id: string, label: string])[];
  chosen: string;
  name?: string;
}) {
  return (
    <nav class="tabs" aria-label="Views">
      {tabs.map(([id, label], index) => (
        <a
          key={id}
          href={hrefHere({ [name]: index === 0 ? undefined : id })}
          aria-current={id === chosen ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

export const Badge = ({ kind, children }: { kind: string; children: ComponentChildren }) => (
  <span class={`badge ${kind}`}>{children}</span>
);

export const Empty = ({ children }: { children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);

export const Fault = ({ error }: { error: Error }) => (
  <p class="fault" role="alert">
    {visible(error.message)}
  </p>
);

/** Shows the loaded value when it is available. */
export function Answer<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>;
  children: (value: T) => ComponentChildren;
}) {
  if (loaded.error !== undefined) return <Fault error={loaded.error} />;
  if (loaded.value === undefined) return loaded.isLoading ? <p class="empty loading">…</p> : null;
  return <>{children(loaded.value)}</>;
}

/** A list of names with their values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  const shown = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
  );
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A labelled selection. */
export function Select({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  );
}
