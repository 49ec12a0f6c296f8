/** The part of `node:timers` that the engine uses, for browsers. It keeps the functions of the page, which tests may replace. */

const { setTimeout: later, clearTimeout: cancel } = globalThis;
const { setInterval: repeatedly, clearInterval: stop } = globalThis;

type Run = (...args: unknown[]) => unknown;

class PageTimer {
  private id: ReturnType<typeof later>;

  constructor(
    private readonly start: () => ReturnType<typeof later>,
    private readonly end: (id: ReturnType<typeof later>) => void,
  ) {
    this.id = start();
  }

  /** A page does not wait for its timers. */
  unref(): this {
    return this;
  }

  refresh(): this {
    this.clear();
    this.id = this.start();
    return this;
  }

  clear(): void {
    // As a method of this object, the function of a page would not run.
    const { end } = this;
    end(this.id);
  }
}

export const setTimeout = (run: Run, delay?: number, ...args: unknown[]): PageTimer =>
  new PageTimer(() => later(() => run(...args), delay), cancel);

export const setInterval = (run: Run, delay?: number, ...args: unknown[]): PageTimer =>
  new PageTimer(() => repeatedly(() => run(...args), delay), stop);

export const clearTimeout = (timer?: PageTimer): void => timer?.clear();
export const clearInterval = (timer?: PageTimer): void => timer?.clear();

const waiting: (() => void)[] = [];
const { MessageChannel } = globalThis;
const channel = new MessageChannel();
(channel.port1 as unknown as EventTarget & { start(): void }).addEventListener('message', () =>
  waiting.shift()?.(),
);
channel.port1.start();
// In Node, which can load this too, a port keeps the process running.
(channel.port1 as { unref?: () => void }).unref?.();

/** A timer of a page waits for at least a few milliseconds. A message does not. */
export function setImmediate(run: Run, ...args: unknown[]): void {
  waiting.push(() => run(...args));
  channel.port2.postMessage(undefined);
}
