/** The part of `process` that the engine uses, for browsers. */
export const pageProcess = {
  env: {} as Record<string, string | undefined>,
  versions: {},
  argv: [] as string[],
  execArgv: [] as string[],
  config: { variables: {} },
  arch: 'browser',
  platform: 'browser',
  cwd: () => '/',
  once: () => undefined,
  nextTick: (run: (...args: never[]) => void, ...args: never[]) =>
    queueMicrotask(() => run(...args)),
  stderr: { write: (text: string) => globalThis.console.warn(text.trimEnd()) },
};
