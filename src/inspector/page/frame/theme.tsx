/** Light or dark: the theme of the machine, unless the user chooses one, which the browser stores. */
import { useState } from 'preact/hooks';

const KEY = 'canticle-theme';
type Theme = 'light' | 'dark';

const themeNow = (): Theme => {
  const stored = localStorage.getItem(KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

export const applyTheme = (theme: Theme = themeNow()): void => {
  document.documentElement.dataset['theme'] = theme;
};

export function ThemeButton() {
  const [theme, setTheme] = useState(themeNow());
  const other: Theme = theme === 'dark' ? 'light' : 'dark';
  const change = () => {
    localStorage.setItem(KEY, other);
    applyTheme(other);
    setTheme(other);
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={change}
      title={`Show it ${other}`}
      aria-label={`Show it ${other}`}
    >
      {theme === 'dark' ? '☀' : '☾'}
    </button>
  );
}
