/** The calls and tests of one run of a rehearsal. */

export interface TestOf {
  /** Empty if it is unknown. */
  readonly file: string;
  readonly title: string;
}

/** A call that a run made. */
export interface RunCall {
  readonly test?: TestOf;
  readonly order: number;
  /** The HTTP method, `GRPC`, or `WS`. */
  readonly method: string;
  readonly path: string;
  /** The API of its operation, such as `ledger`. */
  readonly api?: string | undefined;
  readonly operation?: string;
  /** The path of its operation, such as `/v2/users/{user-id}`, at the release that has it. */
  readonly template?: string;
  readonly status: number;
  /** Whether the release has no such operation or method. */
  readonly isUnknown?: boolean;
  readonly error?: string;
  /** The part of the API that the next release disables or removes, if the call uses one. */
  readonly deprecated?: DeprecatedPart;
  /** The line of the test that made it. */
  readonly place?: string;
  readonly answer?: string;
  /** The first elements of a stream. */
  readonly elements?: readonly string[];
}

export interface DeprecatedPart {
  /** The group of parts that an operator can enable again. */
  readonly group?: string;
  readonly instead: string;
}

export interface RunTest extends TestOf {
  readonly failed: boolean;
  readonly why?: string;
}

export interface Run {
  readonly calls: readonly RunCall[];
  readonly tests: readonly RunTest[];
  /** The releases of its instances, such as `Canton 3.5`. */
  readonly releases: readonly string[];
  /** The number of calls beyond a limit, which are not compared. */
  readonly left: number;
}

/** A call of one release, and the same call of another. */
export interface CallPair {
  readonly before: RunCall;
  readonly after: RunCall;
}

export interface Joined {
  readonly pairs: readonly CallPair[];
  /** The number of calls that only the first run made, mostly because a test ended early. */
  readonly notMade: number;
  /** The number of calls that only the second run made, such as repeated ones. */
  readonly additional: number;
}

export const testKey = ({ file, title }: TestOf): string => JSON.stringify([file, title]);

/** The name of the called operation or method. */
export const calledName = ({ method, template, path }: RunCall): string =>
  `${method} ${template ?? path.replace(/\?.*/s, '')}`;

/** Joins the calls of two runs by test, by operation, and by their order among the calls of both. */
export function joinCalls(before: readonly RunCall[], after: readonly RunCall[]): Joined {
  const waiting = new Map<string, RunCall[]>();
  for (const call of inOrder(after)) {
    const key = keyOf(call);
    const list = waiting.get(key);
    if (list === undefined) waiting.set(key, [call]);
    else list.push(call);
  }
  const pairs: CallPair[] = [];
  const taken = new Map<string, number>();
  let notMade = 0;
  for (const call of inOrder(before)) {
    const key = keyOf(call);
    const at = taken.get(key) ?? 0;
    const other = waiting.get(key)?.[at];
    if (other === undefined) notMade += 1;
    else {
      taken.set(key, at + 1);
      pairs.push({ before: call, after: other });
    }
  }
  return { pairs, notMade, additional: after.length - pairs.length };
}

const keyOf = (call: RunCall): string =>
  `${call.test === undefined ? '' : testKey(call.test)} ${calledName(call)}`;

/** The calls of a test come from one process, so that their numbers order them. */
const inOrder = (calls: readonly RunCall[]): readonly RunCall[] =>
  [...calls].sort((a, b) => a.order - b.order);
