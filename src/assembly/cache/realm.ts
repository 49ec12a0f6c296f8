/**
 * Runs scripts in the realm of this code, so that both share objects such as `Object`: jest and other test runners give each test file a
 * separate realm.
 */
import { createRequire } from 'node:module';
import vm, { Script, type Context } from 'node:vm';

/** Runs the script in the realm of this code, and returns its value; undefined if the realm cannot be found. */
export const runHere: ((script: Script) => unknown) | undefined = runner();

function runner(): typeof runHere {
  if (new Script('Object').runInThisContext() === Object)
    return (script) => script.runInThisContext();
  const context = contextOfSandbox();
  return context && ((script) => script.runInContext(context));
}

/** Node passes the context of a sandbox only when it compiles files there, so this compiles one. */
function contextOfSandbox(): Context | undefined {
  const { compileFunction } = vm;
  const { runInContext } = Script.prototype;
  let found: Context | undefined;
  vm.compileFunction = (code, params, options) => {
    found ??= options?.parsingContext;
    return compileFunction(code, params, options);
  };
  Script.prototype.runInContext = function (context, options): unknown {
    found ??= context;
    return runInContext.call(this, context, options);
  };
  try {
    createRequire(import.meta.url)('./nothing.cjs');
    return found && new Script('Object').runInContext(found) === Object ? found : undefined;
  } catch {
    return undefined;
  } finally {
    vm.compileFunction = compileFunction;
    Script.prototype.runInContext = runInContext;
  }
}
