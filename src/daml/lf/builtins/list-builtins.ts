/** FOLDL, FOLDR and EQUAL_LIST: builtins that call a function argument, in fast and deep form. */
import { ap2, callOf, spent, type Machine } from '../runtime/machine.js';
import type { Fun } from '../runtime/runtime-values.js';
import { Code, listToArray, NIL, type Cons, type FastCode } from '../runtime/runtime-values.js';

/** The stack bytes of a builtin's frame, for the functions that it calls. */
const FRAME_BYTES = 200;

export const foldLeft = new Code(
  ((_self: unknown, fun: Fun, initial: unknown, list: Cons, machine: Machine, depth: number) => {
    let result = initial;
    for (let rest = list; rest !== NIL; rest = rest.t) {
      if (--machine.steps < 0) spent(machine);
      result = ap2(fun, result, rest.h, machine, depth + FRAME_BYTES);
    }
    return result;
  }) as FastCode,
  () =>
    function* (_self, fun, initial, list) {
      let result = initial;
      for (let rest = list as Cons; rest !== NIL; rest = rest.t)
        result = yield callOf(fun as Fun, result, rest.h);
      return result;
    },
);

export const foldRight = new Code(
  ((_self: unknown, fun: Fun, initial: unknown, list: Cons, machine: Machine, depth: number) => {
    const items = listToArray(list);
    let result = initial;
    for (let index = items.length - 1; index >= 0; index -= 1) {
      if (--machine.steps < 0) spent(machine);
      result = ap2(fun, items[index], result, machine, depth + FRAME_BYTES);
    }
    return result;
  }) as FastCode,
  () =>
    function* (_self, fun, initial, list) {
      const items = listToArray(list as Cons);
      let result = initial;
      for (let index = items.length - 1; index >= 0; index -= 1)
        result = yield callOf(fun as Fun, items[index], result);
      return result;
    },
);

/** The function gets the second list's element first, and the lists swap at each step, as in the real interpreter. */
export const equalList = new Code(
  ((_self: unknown, fun: Fun, left: Cons, right: Cons, machine: Machine, depth: number) => {
    let [a, b] = [left, right];
    for (; a !== NIL && b !== NIL; [a, b] = [b.t, a.t]) {
      if (--machine.steps < 0) spent(machine);
      if (ap2(fun, b.h, a.h, machine, depth + FRAME_BYTES) !== true) return false;
    }
    return a === b;
  }) as FastCode,
  () =>
    function* (_self, fun, left, right) {
      let [a, b] = [left as Cons, right as Cons];
      for (; a !== NIL && b !== NIL; [a, b] = [b.t, a.t])
        if ((yield callOf(fun as Fun, b.h, a.h)) !== true) return false;
      return a === b;
    },
);
