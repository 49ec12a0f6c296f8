/** One field for all that has a name: views, parties, packages, and the ids of updates and contracts, in whole or in their beginning. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContractLife, InspectedUpdates } from '../../../spec/generated/control.js';
import {
  isContractId,
  isPartyId,
  isUpdateId,
  partyName,
  shortId,
  visible,
} from '../parts/format.js';
import { fetchJson } from '../state/api.js';
import { goTo, href } from '../state/route.js';
import { usePackages, useTopology } from '../state/world.js';

interface Found {
  readonly what: string;
  readonly label: string;
  readonly url: string;
}

const MOST = 12;

export function Search() {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { parties, participants } = useTopology();
  const packages = usePackages();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || /INPUT|TEXTAREA|SELECT/.test(target.tagName)) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const wanted = text.trim().toLowerCase();
  const fits = (...texts: string[]) => texts.some((each) => each.toLowerCase().includes(wanted));
  const found: Found[] =
    wanted === ''
      ? []
      : [
          ...idsIn(text.trim()),
          ...participants
            .filter(({ name }) => fits(name))
            .map(({ name }) => ({ what: 'participant', label: name, url: href(['network']) })),
          ...parties
            .filter(({ party }) => fits(party))
            .map(({ party }) => ({
              what: 'party',
              label: partyName(party),
              url: href(['network', 'parties', party]),
            })),
          ...packages
            .filter(({ name, id }) => fits(name, id))
            .map(({ name, version, id }) => ({
              what: 'package',
              label: `${name} ${version}`,
              url: href(['packages', id]),
            })),
        ].slice(0, MOST);
  const go = async () => {
    const one = found[chosen] ?? found[0];
    const url = one?.url ?? (await beginning(text.trim()));
    if (url === undefined) return;
    setText('');
    box.current?.blur();
    goTo(url);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void go();
    else if (event.key === 'Escape') setText('');
    else if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <div class="search" role="search">
      <input
        ref={box}
        type="search"
        value={text}
        placeholder="Search: ids, parties, packages   ( / )"
        aria-label="Search"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="found"
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length > 0 && (
        <ul id="found" role="listbox">
          {found.map(({ what, label, url }, index) => (
            <li key={url + label} role="option" aria-selected={index === chosen}>
              <a href={url} tabIndex={-1} onClick={() => setText('')}>
                <span class="faint">{what}</span> {visible(label)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function idsIn(text: string): Found[] {
  if (isContractId(text))
    return [{ what: 'contract', label: shortId(text), url: href(['contracts', text]) }];
  if (isUpdateId(text))
    return [{ what: 'update', label: shortId(text), url: href(['updates', text]) }];
  if (isPartyId(text))
    return [{ what: 'party', label: partyName(text), url: href(['network', 'parties', text]) }];
  return [];
}

/** Searches an incomplete id in the newest updates, and among contracts. */
async function beginning(text: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{4,}$/i.test(text)) return undefined;
  const { updates } = await fetchJson<InspectedUpdates>('inspection/updates', { limit: 1_000 });
  const found = updates.find(({ updateId }) => updateId?.startsWith(text));
  if (found?.updateId != null) return href(['updates', found.updateId]);
  const life = await fetchJson<ContractLife>(`inspection/contracts/${text}`).catch(() => undefined);
  return life && href(['contracts', life.contract.contractId]);
}
