/** A long list of rows with the same height. It renders only the visible rows, and requests more near its end. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rendered rows above and below the visible ones. */
const AROUND = 12;

export interface RowsProps<T> {
  readonly items: readonly T[];
  /** Pixels. */
  readonly height: number;
  /** On a screen so narrow that a row has two lines (styles/narrow.css); the same where absent. */
  readonly narrowHeight?: number;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T, place: number) => ComponentChildren;
  /** Called when the end becomes visible; absent if there are no more rows. */
  readonly more?: (() => void) | undefined;
  readonly label: string;
}

/** The same height as in styles/narrow.css. */
const NARROW = matchMedia('(max-width: 720px)');

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const look = () => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', look);
    return () => NARROW.removeEventListener('change', look);
  }, []);
  return isNarrow;
}

export function Rows<T>({
  items,
  height: wide,
  narrowHeight = wide,
  keyOf,
  row,
  more,
  label,
}: RowsProps<T>) {
  const height = useNarrow() ? narrowHeight : wide;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const look = () => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    setView((last) =>
      Math.abs(last.top - scrollTop) < height && last.height === clientHeight
        ? last
        : { top: scrollTop, height: clientHeight },
    );
  };
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(view.top / height) - AROUND);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / height) + AROUND);
  const isNearEnd = last >= items.length - AROUND;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, items.length, more === undefined]);
  return (
    <div
      class="rows"
      ref={box}
      onScroll={look}
      role="list"
      aria-label={label}
      onKeyDown={moveFocus}
    >
      <svg class="spacer" width="1" height={items.length * height} aria-hidden="true" />
      <div class="window" ref={(element) => place(element, first * height)}>
        {items.slice(first, last).map((item, index) => (
          <div role="listitem" key={keyOf(item)} class="row-slot">
            {row(item, first + index)}
          </div>
        ))}
      </div>
    </div>
  );
}

const place = (element: HTMLElement | null, top: number): void => {
  if (element !== null) element.style.transform = `translateY(${top}px)`;
};

/** Arrows, and j and k, go from row to row. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const slot = (event.target as HTMLElement).closest('.row-slot');
  if (step === undefined || slot === null || event.target instanceof HTMLInputElement) return;
  const next = step > 0 ? slot.nextElementSibling : slot.previousElementSibling;
  const link = next?.querySelector<HTMLElement>('a,button');
  if (link === null || link === undefined) return;
  event.preventDefault();
  link.focus();
}
