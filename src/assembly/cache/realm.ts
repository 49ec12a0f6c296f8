/**
 * Where scripts of our own run so that they have the objects of the code here: jest and others give each test file a realm, whose `Object`
 * is another one.
 */
import { createRequire } from 'node:module';
import vm, { Script, type Context } from 'node:vm';

/** Runs the script in the realm of this code, to what it comes to; undefined where nobody says which realm that is. */
export const runHere: ((script: Script) => unknown) | undefined = runner();

function runner(): typeof runHere {
  if (new Script('Object').runInThisContext() === Object)
    return (script) => script.runInThisContext();
  const context = contextOfSandbox();
  return context && ((script) => script.runInContext(context));
}

/** A sandbox is named where its files are compiled, and nowhere else: one is loaded for that. */
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
