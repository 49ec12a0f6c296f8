/** The part of `window` that a wallet needs. */
interface Page {
  /** A provider, or providers by their names. */
  canton?: Record<string, unknown>;
  addEventListener(name: string, listener: (event: Event) => void): void;
  removeEventListener(name: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
  postMessage(message: unknown, targetOrigin: string): void;
}

/** The page; in tests with jsdom or happy-dom, its window. */
export const page = globalThis as unknown as Page;
