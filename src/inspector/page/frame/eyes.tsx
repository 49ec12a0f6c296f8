/** The perspective of the page: a party, a participant, or everyone. No real network offers the last one. */
import { partyName, partyParts, visible } from '../parts/format.js';
import { goTo, hrefHere, useRoute } from '../state/route.js';
import { useTopology } from '../state/world.js';

export function EyesSelect() {
  const { query } = useRoute();
  const { participants, parties } = useTopology();
  const chosen = query['as'] ?? '';
  const known = new Set([
    '',
    ...participants.map(({ name }) => `participant:${name}`),
    ...parties.map(({ party }) => `party:${party}`),
  ]);
  return (
    <label
      class="eyes field"
      title={chosen === '' ? 'For tests only: no real network shows everything.' : chosen}
    >
      <span>As seen by</span>
      <select
        value={chosen}
        onChange={(event) => goTo(hrefHere({ as: event.currentTarget.value }))}
      >
        <option value="">everyone (in tests only)</option>
        <optgroup label="Participants">
          {participants.map(({ name }) => (
            <option key={name} value={`participant:${name}`}>
              {visible(name)}
            </option>
          ))}
        </optgroup>
        <optgroup label="Parties">
          {parties.map(({ party }) => (
            <option key={party} value={`party:${party}`}>
              {partyName(party)} {partyParts(party)[1].slice(4, 10)}
            </option>
          ))}
        </optgroup>
        {!known.has(chosen) && <option value={chosen}>{visible(chosen.slice(0, 60))}</option>}
      </select>
    </label>
  );
}
