/** The run of a call's handler. One object per call replaces closures, which would make each call slower. */
import { withoutStacks } from '../../daml/errors/own-frames.js';
import type { LogEntry } from '../../network/model/updates.js';
import { requireAllowed, type Admission } from '../authorization/gate.js';
import type { CallContext, CallWorld, ReadCall } from './call.js';

export class HandlerRun<Context extends CallContext, A> {
  /** The end of the log before the handler. */
  private before: number;
  /** The last entry of the handler, if it committed any before its first wait. */
  entry: LogEntry | undefined;

  constructor(
    private readonly world: CallWorld,
    private readonly read: ReadCall<Context, A>,
    private readonly admission: Admission,
    readonly context: Context,
  ) {
    this.before = world.participant.log.end;
  }

  /** Checks the caller's rights, and runs the handler. A call whose external calls are answered later runs again. */
  attempt(): unknown {
    const { log } = this.world.participant;
    this.before = log.end;
    // Calls of the Ledger API need no stacks. Controls use stacks to find code locations.
    const result = this.read.called.api === 'ledger' ? withoutStacks(handled, this) : handled(this);
    // A handler commits before its first wait, so the last entry belongs to it.
    this.entry = this.reached();
    return result;
  }

  handle(): unknown {
    const { world, read, context } = this;
    read.enter?.(context);
    const { auth, participant } = world;
    requireAllowed(auth, this.admission, read.requires, participant, read.input, context);
    read.begin?.(context);
    return read.handle(context);
  }

  /** The last entry since the start. */
  reached(): LogEntry | undefined {
    return this.world.participant.log.lastBehind(this.before);
  }
}

const handled = (run: { handle(): unknown }): unknown => run.handle();
