/** The part of `window` that a wallet needs. */
export interface Page {
  readonly CustomEvent: new (name: string, init: { readonly detail: unknown }) => Event;
  /** A provider, or providers by their names. */
  canton?: Record<string, unknown>;
  addEventListener(name: string, listener: (event: Event) => void): void;
  removeEventListener(name: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
  postMessage(message: unknown, targetOrigin: string): void;
}

/** This page; in tests with jsdom or happy-dom, its window. */
export const thisPage = globalThis as unknown as Page;
