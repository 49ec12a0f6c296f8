/** A text from the ledger. It is shown and never run; long texts are folded. */
import { useState } from 'preact/hooks';
import { visible } from './format.js';

const MOST = 240;
/** The limit of an unfolded text; the rest can only be copied. */
const MOST_UNFOLDED = 200_000;

export function Text({ text, most = MOST }: { text: string; most?: number }) {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= most) return <bdi class="text">{visible(text)}</bdi>;
  const shown = isOpen ? text.slice(0, MOST_UNFOLDED) : text.slice(0, most);
  return (
    <span>
      <bdi class="text">{visible(shown)}</bdi>
      <button type="button" class="fold" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'less' : `… ${(text.length - most).toLocaleString('en')} more characters`}
      </button>
    </span>
  );
}
