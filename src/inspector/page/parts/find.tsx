/** Filters a list by a text from the URL. */
import { hrefHere, replaceWith } from '../state/route.js';

/** @param what the name of the listed items */
export function Find({ what, value }: { what: string; value: string }) {
  return (
    <input
      class="find"
      type="search"
      placeholder="Filter"
      aria-label={`Filter ${what}`}
      value={value}
      onInput={(event) => replaceWith(hrefHere({ find: event.currentTarget.value }))}
    />
  );
}
