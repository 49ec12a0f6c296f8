/** The listeners of a CIP-0103 provider. */

/** @param args those of the event; an event of a wallet has one */
export type Listener = (...args: never[]) => void;

/** An error of one listener must not hide an event from the others, so it is thrown apart. */
export class Emitter {
  private readonly listeners = new Map<string, readonly Listener[]>();

  add(event: string, listener: Listener): void {
    this.listeners.set(event, [...this.of(event), listener]);
  }

  remove(event: string, listener: Listener): void {
    this.listeners.set(
      event,
      this.of(event).filter((each) => each !== listener),
    );
  }

  /** @returns whether someone listens */
  emit(event: string, args: readonly unknown[]): boolean {
    const listeners = this.of(event);
    for (const listener of listeners) call(listener, args);
    return listeners.length > 0;
  }

  private of(event: string): readonly Listener[] {
    return this.listeners.get(event) ?? [];
  }
}

function call(listener: Listener, args: readonly unknown[]): void {
  try {
    listener(...(args as never[]));
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
