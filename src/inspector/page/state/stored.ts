/** A choice of how things are shown, which this browser keeps. */
import { useState } from 'preact/hooks';

export function useStored(
  name: string,
  initial: boolean,
): readonly [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => (read(name) ?? String(initial)) === 'true');
  const save = (next: boolean) => {
    setValue(next);
    try {
      localStorage.setItem(name, String(next));
    } catch {
      // The browser's storage may be full or disabled.
    }
  };
  return [value, save];
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
