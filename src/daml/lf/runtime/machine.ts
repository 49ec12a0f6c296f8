/**
 * Runs compiled code. The fast form uses JavaScript's stack, and passes an estimate of the used bytes. Above a limit, the deep form takes
 * over: generators, whose frames `trampoline.ts` stores on the heap. Both forms count steps, and builtins count steps by the size of their
 * arguments, so that all code ends. At intervals, the machine checks the time limit; no result depends on the clock otherwise.
 */
import { invariant, ledgerError } from '../../errors/ledger-error.js';
import type { CodeContext, PackageLookup } from '../../model/package.js';
import type { TypeId } from '../../model/types.js';
import type { CompiledActions } from './actions.js';
import { callCode, type AnyFast } from './calling.js';
import { Code, Fun, type Call, type DeepCode, type FastCode } from './runtime-values.js';

/** Estimated bytes of JavaScript stack from which on fast code continues with frames on the heap. */
export const FAST_STACK_BYTES = 240_000;
/** Estimated bytes of stack beyond which calls through TypeScript code fail. These always use JavaScript's stack. */
const MAX_STACK_BYTES = 760_000;
/** Estimated bytes of such a call. */
const NATIVE_FRAME_BYTES = 1_500;
/** The maximum number of steps of a transaction. A step is a call or an equivalent amount of work. */
const MAX_STEPS = 50_000_000;
/** The number of steps between two checks of the time limit: a few milliseconds. */
const STEPS_PER_LOOK = 100_000;
/** The maximum number of frames on the heap. */
export const MAX_DEEP_FRAMES = 2_500_000;

/** The state of one interpretation, or of one computation outside of any, for all compiled code that it runs. */
export class Machine implements CodeContext {
  /** Steps left until the next check of the time limit. */
  steps = STEPS_PER_LOOK;
  /** Steps between two checks. */
  stepsPerLook = STEPS_PER_LOOK;
  /** Steps left after the next check. */
  left = MAX_STEPS - STEPS_PER_LOOK;
  /** The ledger, for the running choice. */
  actions: CompiledActions | undefined;
  /** Whether counters are active. They are not for runs that only explain or trace. */
  counts = true;
  /** Messages of `trace`. */
  readonly traces: string[] = [];
  /** The stack depth for code that the interpreter starts next. */
  base = 0;
  /** The last argument of `tail`. */
  next: Call | undefined;

  /** @param isLate whether the time limit is exceeded, after this number of steps */
  constructor(
    readonly packages: PackageLookup,
    private readonly isLate: (taken: number) => boolean = () => false,
  ) {}

  /** Steps made so far. */
  get taken(): number {
    return MAX_STEPS - this.left - this.steps;
  }

  /** Sets the number of steps between two checks of the time limit. */
  lookEvery(steps: number): void {
    const all = this.steps + this.left;
    this.stepsPerLook = this.steps = steps;
    this.left = all - steps;
  }

  /**
   * Checks the time limit.
   * @throws LedgerError if it is exceeded
   */
  look(): void {
    if (this.isLate(this.taken))
      abort(this, 'The Daml code ran for longer than it may (interpretationTimeout).');
  }

  /** The result of deep code whose last action is this call. */
  tail(call: Call): unknown {
    this.next = call;
    return TAIL;
  }
}

/** The machine of an interpretation. */
export function machineOf(context: CodeContext): Machine {
  invariant(context instanceof Machine, 'compiled code runs on a machine');
  return context;
}

export function overrun(machine: Machine): never {
  const limits = `more than ${MAX_STEPS} calls, or nested more than ${MAX_DEEP_FRAMES} of them`;
  return abort(machine, `The Daml code made ${limits}.`);
}

function abort(machine: Machine, explanation: string): never {
  // The machine stays over the limit, so that a handler cannot continue either.
  machine.steps = -1;
  machine.left = 0;
  // The interpreter, which has the position and the time, completes the error.
  throw ledgerError('INTERPRETATION_TIME_EXCEEDED', {
    cause: 'Interpretation aborted.',
    explanation,
  });
}

/**
 * Handles the end of the steps until the next check.
 * @throws LedgerError if no steps or no time are left
 */
export function spent(machine: Machine): void {
  const more = Math.min(machine.stepsPerLook - machine.steps, machine.left);
  if (machine.steps + more < 0) overrun(machine);
  machine.look();
  machine.left -= more;
  machine.steps += more;
}

/** Counts work as this number of steps. */
export function charge(machine: Machine, work: number): void {
  machine.steps -= work;
  if (machine.steps < 0) spent(machine);
}

/** Checks the stack before TypeScript code starts other code. @returns the stack depth for the other code */
export function nativeDepth(machine: Machine, depth: number): number {
  if (depth > MAX_STACK_BYTES) overrun(machine);
  return depth + NATIVE_FRAME_BYTES;
}

/** The result of deep code that passed its last call to the machine. */
export const TAIL = Symbol('tail');

/** Applies a function to any number of arguments. */
export function applyAll(
  fun: Fun,
  args: readonly unknown[],
  machine: Machine,
  depth: number,
): unknown {
  let current = fun;
  let rest = args;
  for (;;) {
    const { n } = current;
    if (rest.length === n) return callCode(current.c, current, rest, machine, depth);
    if (rest.length < n) return partial(current, rest);
    current = callCode(current.c, current, rest.slice(0, n), machine, depth) as Fun;
    rest = rest.slice(n);
  }
}

export function ap1(f: Fun, a: unknown, m: Machine, d: number): unknown {
  return f.n === 1 ? (f.c as AnyFast)(f, a, m, d) : partial(f, [a]);
}

export function ap2(f: Fun, a: unknown, b: unknown, m: Machine, d: number): unknown {
  if (f.n === 2) return (f.c as AnyFast)(f, a, b, m, d);
  if (f.n === 1) return ap1((f.c as AnyFast)(f, a, m, d) as Fun, b, m, d);
  return partial(f, [a, b]);
}

export function ap3(f: Fun, a: unknown, b: unknown, c: unknown, m: Machine, d: number): unknown {
  if (f.n === 3) return (f.c as AnyFast)(f, a, b, c, m, d);
  if (f.n === 2) return ap1((f.c as AnyFast)(f, a, b, m, d) as Fun, c, m, d);
  if (f.n === 1) return ap2((f.c as AnyFast)(f, a, m, d) as Fun, b, c, m, d);
  return partial(f, [a, b, c]);
}

/** The application in deep code: `[APPLY, 0, fun, arguments]`. */
export const APPLY: Code = new Code(
  ((_self: unknown, fun: Fun, args: readonly unknown[], machine: Machine, depth: number) =>
    applyAll(fun, args, machine, depth)) as FastCode,
  () =>
    function* (_self, given, all, on) {
      const machine = on as Machine;
      const fun = given as Fun;
      const args = all as readonly unknown[];
      if (args.length === fun.n) return machine.tail([fun.k, fun, ...args]);
      if (args.length < fun.n) return partial(fun, args);
      const next = yield [fun.k, fun, ...args.slice(0, fun.n)];
      return machine.tail([APPLY, 0, next, args.slice(fun.n)]);
    },
);

/** A call of a function, for deep code. */
export function callOf(fun: Fun, ...args: readonly unknown[]): Call {
  return fun.n === args.length ? [fun.k, fun, ...args] : [APPLY, 0, fun, args];
}

type Held = readonly [fun: Fun, held: readonly unknown[]];

const partialFast = ((self: Fun, ...rest: unknown[]) => {
  const [fun, held] = self.e as Held;
  const all = held.concat(rest);
  const [depth, machine] = [all.pop() as number, all.pop() as Machine];
  return callCode(fun.c, fun, all, machine, depth);
}) as unknown as FastCode;

/** Partial applications with one missing argument. As in {@link callCode}, few hold more arguments than these cases. */
const missingOne = ((self: Fun, a: unknown, m: Machine, d: number) => {
  const { 0: fun, 1: held } = self.e as Held;
  const code = fun.c as AnyFast;
  switch (held.length) {
    case 1:
      return code(fun, held[0], a, m, d);
    case 2:
      return code(fun, held[0], held[1], a, m, d);
    case 3:
      return code(fun, held[0], held[1], held[2], a, m, d);
    case 4:
      return code(fun, held[0], held[1], held[2], held[3], a, m, d);
    default:
      return code(fun, ...held, a, m, d);
  }
}) as FastCode;

/** Partial applications with two missing arguments. */
const missingTwo = ((self: Fun, a: unknown, b: unknown, m: Machine, d: number) => {
  const { 0: fun, 1: held } = self.e as Held;
  const code = fun.c as AnyFast;
  switch (held.length) {
    case 1:
      return code(fun, held[0], a, b, m, d);
    case 2:
      return code(fun, held[0], held[1], a, b, m, d);
    case 3:
      return code(fun, held[0], held[1], held[2], a, b, m, d);
    default:
      return code(fun, ...held, a, b, m, d);
  }
}) as FastCode;

/** By the number of missing arguments. */
const PARTIALS: readonly (FastCode | undefined)[] = [undefined, missingOne, missingTwo];

const PARTIAL = new Code(
  partialFast,
  () =>
    function* (self, ...rest) {
      const { n, e } = self as Fun;
      const [fun, held] = e as Held;
      return (rest[n] as Machine).tail([fun.k, fun, ...held, ...rest.slice(0, n)]);
    },
);

function partial(fun: Fun, args: readonly unknown[]): Fun {
  if (fun.k === PARTIAL) {
    const { 0: inner, 1: held } = fun.e as Held;
    return partialOf(inner, held.concat(args), fun.n - args.length);
  }
  return partialOf(fun, args, fun.n - args.length);
}

function partialOf(fun: Fun, held: readonly unknown[], missing: number): Fun {
  const fast = PARTIALS[missing] ?? partialFast;
  return new Fun(missing, fast, PARTIAL, [fun, held]);
}

export interface DefinitionSource {
  /** The number of parameters of the leading lambdas. */
  explicitArity(): number;
  /** The number of parameters, including the token if the body is an update. */
  arity(): number;
  compile(): { readonly fast: FastCode; readonly code: Code };
  /** Shows its code to the instruments of the package, without compiling it. */
  visit?(): void;
}

/** A top-level definition: a function of `arity` arguments or, with arity 0, a constant that is computed on first use. */
export class Definition {
  /** Fast code; the first call compiles the definition. */
  c: FastCode;
  readonly k: Code;
  /** The constant, or the function as a value; set after the first use of the arity. */
  v: unknown = undefined;
  private knownArity: number | undefined;
  private knownExplicitArity: number | undefined;
  private running = false;

  /** @param id its name, for a top-level value of a package */
  constructor(
    private readonly source: DefinitionSource,
    readonly id?: TypeId,
  ) {
    this.c = ((...all: unknown[]) =>
      (this.load().fast as AnyFast)(...(all as [unknown]))) as FastCode;
    this.k = new Code(this.c, () => {
      const { fast, code } = this.load();
      return code.prepare() ?? withoutCalls(fast);
    });
  }

  get explicitArity(): number {
    this.knownExplicitArity ??= this.source.explicitArity();
    return this.knownExplicitArity;
  }

  get arity(): number {
    return this.knownArity ?? this.hasArity(this.source.arity());
  }

  /** Sets the arity if it is not known yet. */
  hasArity(arity: number): number {
    if (this.knownArity === undefined) {
      this.knownArity = arity;
      if (arity > 0) this.v = new Fun(arity, this.c, this.k, []);
    }
    return this.knownArity;
  }

  /** Forgets the value of a constant. */
  forget(): void {
    if (this.knownArity === 0) this.v = undefined;
  }

  visit(): void {
    this.source.visit?.();
  }

  private load(): { readonly fast: FastCode; readonly code: Code } {
    const arity = this.arity;
    const compiled = this.source.compile();
    this.c = compiled.fast;
    this.k.fast = compiled.fast;
    if (arity > 0) (this.v as Fun).c = compiled.fast;
    return compiled;
  }

  /** The constant's value, or the function. A constant that needs itself exceeds the limit of steps. */
  force(machine: Machine, depth: number): unknown {
    if (this.arity > 0 || this.v !== undefined) return this.v;
    if (this.running) overrun(machine);
    this.running = true;
    try {
      this.v = (this.c as AnyFast)(0, machine, depth);
      return this.v;
    } finally {
      this.running = false;
    }
  }
}

/** A call of a definition, for deep code. */
export function callOfDefinition(definition: Definition, ...args: readonly unknown[]): Call {
  return definition.arity === args.length
    ? [definition.k, 0, ...args]
    : [FORCED, 0, definition, args];
}

/** The deep form of code without calls. */
function withoutCalls(fast: FastCode): DeepCode {
  return function* (...all) {
    return (fast as AnyFast)(...(all as [unknown]));
  };
}

/** A constant in deep code: `[FORCE, 0, definition]`. */
export const FORCE = new Code(
  ((_self: unknown, definition: Definition, machine: Machine, depth: number) =>
    definition.force(machine, depth)) as FastCode,
  () =>
    function* (_self, given) {
      const definition = given as Definition;
      if (definition.v !== undefined) return definition.v;
      const value = yield [definition.k, 0];
      definition.v = value;
      return value;
    },
);

/** A constant that is a function, applied to arguments. */
const FORCED = new Code(
  ((_self: unknown, definition: Definition, args: unknown[], machine: Machine, depth: number) =>
    applyAll(definition.force(machine, depth) as Fun, args, machine, depth)) as FastCode,
  () =>
    function* (_self, definition, args, machine) {
      const fun = yield [FORCE, 0, definition];
      return (machine as Machine).tail([APPLY, 0, fun, args]);
    },
);
