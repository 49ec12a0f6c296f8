/** Displays ids in a short form, with the full id on hover, a link to the item, and a copy button. */
import { useState } from 'preact/hooks';
import { href } from '../state/route.js';
import {
  nameParts,
  partyName,
  partyParts,
  shortId,
  shortParty,
  timeText,
  visible,
  wholeTime,
} from './format.js';

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    await navigator.clipboard.writeText(text).catch(() => copyBySelection(text));
    setDone(true);
    setTimeout(() => setDone(false), 1_200);
  };
  return (
    <button
      type="button"
      class="copy"
      title={label}
      aria-label={`${label}: ${shortId(text)}`}
      onClick={copy}
    >
      <svg
        width="11"
        height="11"
        viewBox="0 0 12 12"
        fill="none"
        stroke="currentColor"
        aria-hidden="true"
      >
        {isDone ? (
          <path d="M2 6.5 5 9.5 10 3" stroke-width="1.6" />
        ) : (
          <path d="M4 4V1.5h6.5V8H8M1.5 4H8v6.5H1.5z" />
        )}
      </svg>
    </button>
  );
}

/** Where the page has no clipboard, as over plain HTTP from another machine. */
function copyBySelection(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function Id({
  id,
  to,
  whole = false,
}: {
  id: string;
  to?: string | undefined;
  whole?: boolean;
}) {
  const shown = visible(whole ? id : shortId(id));
  return (
    <span class="id">
      {to === undefined ? (
        <code title={id}>{shown}</code>
      ) : (
        <a class="mono" href={to} title={id}>
          {shown}
        </a>
      )}
      <Copy text={id} />
    </span>
  );
}

export const ContractId = ({ id }: { id: string }) => <Id id={id} to={href(['contracts', id])} />;
export const UpdateId = ({ id }: { id: string }) => <Id id={id} to={href(['updates', id])} />;

/** @param plain without the beginning of its fingerprint */
export function Party({ party, plain = false }: { party: string; plain?: boolean }) {
  const [, fingerprint] = partyParts(party);
  return (
    <span class="id party" title={party}>
      <a href={href(['network', 'parties', party])}>
        <bdi>{partyName(party)}</bdi>
        {!plain && fingerprint !== '' && <span class="faint mono">{fingerprint.slice(4, 10)}</span>}
      </a>
      <Copy text={party} />
    </span>
  );
}

export function Parties({
  parties,
  plain = true,
}: {
  parties: readonly string[];
  plain?: boolean;
}) {
  if (parties.length === 0) return <span class="faint">nobody</span>;
  return (
    <span class="chips">
      {parties.map((party) => (
        <Party key={party} party={party} plain={plain} />
      ))}
    </span>
  );
}

/** Parties in a row that leads elsewhere: their names, whole ids when pointed at. */
export function PartyNames({ parties }: { parties: readonly string[] }) {
  return (
    <>
      {parties.map((party, place) => (
        <span key={party} title={party}>
          {place > 0 && ', '}
          <bdi>{shortParty(party)}</bdi>
        </span>
      ))}
    </>
  );
}

/** A time to the millisecond. The tooltip has the whole time. */
export const Timestamp = ({ at }: { at: string }) => (
  <time class="mono" dateTime={at} title={wholeTime(at)}>
    {timeText(at)}
  </time>
);

/** A template, an interface or a type: its own name first. @param packageId by which its package is shown */
export function Name({ id, packageId }: { id: string; packageId?: string | undefined }) {
  const { package: from, module, entity } = nameParts(id);
  const text = (
    <>
      <strong>{visible(entity)}</strong> <span class="faint">{visible(module)}</span>
    </>
  );
  const title = from === '' ? id : `${from}:${module}:${entity}`;
  if (packageId === undefined)
    return (
      <span class="name" title={title}>
        {text}
      </span>
    );
  return (
    <a class="name" title={title} href={href(['packages', packageId], { module, entity })}>
      {text}
    </a>
  );
}
