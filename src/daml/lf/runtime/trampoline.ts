/**
 * Runs code with its frames on the heap: generators that yield the next call. If one throws, the frames above the innermost guarding frame
 * are dropped, and that frame gets the error.
 */
import { MAX_DEEP_FRAMES, overrun, spent, TAIL, type Machine } from './machine.js';
import type { Call, Code, Fun } from './runtime-values.js';

type HeapFrame = Generator<Call, unknown, unknown>;

/** A frame that catches errors, and its index. */
interface Guard {
  readonly index: number;
  readonly frame: HeapFrame;
}

/** The next action: a call, or a value for the top frame. */
interface Next {
  readonly call: Call | undefined;
  readonly value: unknown;
}

/** The estimated stack bytes of the trampoline. */
const TRAMPOLINE_BYTES = 400;

/** Runs a body with its frames on the heap. */
export function deep(
  code: Code,
  args: readonly unknown[],
  machine: Machine,
  depth: number,
): unknown {
  const frames: HeapFrame[] = [];
  const guards: Guard[] = [];
  let next: Next = { call: [code, ...args] as unknown as Call, value: undefined };
  for (;;) {
    try {
      return steps(frames, guards, next, machine, depth);
    } catch (error) {
      next = caught(frames, guards, error, machine);
    }
  }
}

function steps(
  frames: HeapFrame[],
  guards: Guard[],
  first: Next,
  machine: Machine,
  depth: number,
): unknown {
  let { call, value } = first;
  for (;;) {
    while (call === undefined) {
      const top = frames[frames.length - 1];
      if (top === undefined) return value;
      const step = top.next(value);
      if (step.done !== true) call = step.value;
      else {
        frames.pop();
        if (step.value === TAIL) call = machine.next!;
        else value = step.value;
      }
    }
    if (--machine.steps < 0) spent(machine);
    const [target, ...given] = call as Call;
    call = undefined;
    const body = target.deep === undefined ? target.prepare() : target.deep;
    if (body === null)
      value = (target.fast as (...all: unknown[]) => unknown)(...given, machine, depth);
    else {
      if (frames.length >= MAX_DEEP_FRAMES) overrun(machine);
      const frame = body(...(given as [Fun | 0, ...unknown[]]), machine, depth + TRAMPOLINE_BYTES);
      if (target.guards) pushGuard(guards, frames, frame);
      frames.push(frame);
      value = undefined;
    }
  }
}

const isOpen = ({ index, frame }: Guard, frames: readonly HeapFrame[]): boolean =>
  frames[index] === frame;

/** Drops guards of ended frames, so that there are never more guards than frames. */
function pushGuard(guards: Guard[], frames: readonly HeapFrame[], frame: HeapFrame): void {
  for (let top = guards.at(-1); top !== undefined && !isOpen(top, frames); top = guards.at(-1))
    guards.pop();
  guards.push({ index: frames.length, frame });
}

/**
 * Passes an error to the innermost guard.
 * @throws the error if no guard catches it
 */
function caught(frames: HeapFrame[], guards: Guard[], error: unknown, machine: Machine): Next {
  let thrown = error;
  for (let guard = guards.pop(); guard !== undefined; guard = guards.pop()) {
    if (!isOpen(guard, frames)) continue;
    frames.length = guard.index + 1;
    try {
      const step = guard.frame.throw(thrown);
      if (step.done !== true) {
        guards.push(guard);
        return { call: step.value, value: undefined };
      }
      frames.pop();
      return step.value === TAIL
        ? { call: machine.next!, value: undefined }
        : { call: undefined, value: step.value };
    } catch (again) {
      thrown = again;
      frames.pop();
    }
  }
  throw thrown;
}
