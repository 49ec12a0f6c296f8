/**
 * Decodes a whole package in the order of the real decoder: tables, then each module's definitions with their expressions. Normally,
 * Canticle decodes on demand. It decodes like this only after a failure, to find the error that the real decoder reports first.
 */
import { LfDataType, LfInterface, LfTemplate } from '../lf-definitions.js';
import { LfModule } from '../lf-module.js';
import type { LfPackage } from '../lf-package.js';
import { lf2, type Lf2 } from '../lf-messages.js';
import type { Parts } from '../wire/wire-reader.js';
import { LfCode, LfExpression } from './expression.js';
import type { Form } from './form.js';
import { ExpressionSize } from './limits.js';
import { moduleOf, qualifiedModule } from './places.js';

const EMPTY: Uint8Array = new Uint8Array();

/** @throws LedgerError the error that the real decoder reports first */
export function decodePackage(lf: LfPackage): void {
  lf.walk(() => undefined);
  const { modules, dottedNames } = lf2.decode('Package', lf.archive.packageBytes);
  for (let index = 0; index < dottedNames.length; index += 1) lf.tables.dottedName(index);
  lf.tables.readAll();
  const decoder = new ModuleDecoder(lf);
  for (const bytes of modules) decoder.decode(bytes);
  // The remaining check: two modules of one name.
  void lf.modules;
}

class ModuleDecoder {
  private readonly code: LfCode;
  /** The forms of table entries that were read. */
  private readonly seen = new Set<Form>();

  constructor(private readonly lf: LfPackage) {
    this.code = new LfCode(lf);
  }

  decode(bytes: Uint8Array): void {
    const { tables } = this.lf;
    const module = lf2.decode('Module', bytes);
    tables.dottedName(module.name);
    each(module.synonyms, 'DefTypeSyn', ({ name, type, params }) => {
      tables.dottedName(name);
      tables.type(type);
      tables.params(params);
    });
    each(module.dataTypes, 'DefDataType', (message) => new LfDataType(message, tables).readAll());
    each(module.values, 'DefValue', ({ nameWithType = EMPTY, expr }) => {
      const { name, type } = lf2.decode('DefValue.NameWithType', nameWithType);
      tables.dottedName(name);
      tables.type(type);
      this.expression(expr);
    });
    each(module.templates, 'DefTemplate', (message) => this.template(message));
    each(module.exceptions, 'DefException', ({ name, message }) => {
      tables.dottedName(name);
      this.expression(message);
    });
    each(module.interfaces, 'DefInterface', (message) => this.interface(message));
    // The remaining checks: flags, and two definitions of one name.
    new LfModule(bytes, tables, this.lf.version).readAll();
  }

  private expression(bytes: Uint8Array | undefined): void {
    const size = new ExpressionSize();
    const read = (expression: LfExpression): void => {
      const { form, location } = expression;
      const module = location && moduleOf(location);
      if (module?.isEmpty === false) qualifiedModule(this.lf.tables, module);
      if (this.seen.has(form)) return;
      this.seen.add(form);
      size.enter();
      for (const part of expressionsIn(form)) read(part);
      size.leave();
    };
    read(this.code.expression(bytes));
  }

  private template(message: Lf2<'DefTemplate'>): void {
    const { tables, version } = this.lf;
    tables.dottedName(message.name);
    tables.name(message.param);
    if (message.precondition !== undefined) this.expression(message.precondition);
    this.expression(message.signatories);
    this.choices(message.choices);
    this.expression(message.observers);
    each(message.implements, 'DefTemplate.Implements', ({ interface: id, body }) => {
      const { view, methods } = lf2.decode('InterfaceInstanceBody', body ?? EMPTY);
      this.expression(view);
      each(methods, 'InterfaceInstanceBody.InterfaceInstanceMethod', ({ name, value }) => {
        this.expression(value);
        tables.listedName(name);
      });
      tables.typeId(id);
    });
    if (message.key !== undefined) {
      if (!version.contractKeys) throw tables.notSupported('Contract Keys');
      const { key, type, maintainers } = lf2.decode('DefTemplate.DefKey', message.key);
      this.expression(key);
      tables.type(type);
      this.expression(maintainers);
    }
    // The remaining check: two parts of one name.
    new LfTemplate(message, tables).readAll();
  }

  private choices(parts: Parts): void {
    const { tables } = this.lf;
    each(parts, 'TemplateChoice', (choice) => {
      const { variable, type } = lf2.decode('VarWithType', choice.argument ?? EMPTY);
      tables.name(variable);
      tables.type(type);
      tables.name(choice.name);
      tables.name(choice.selfBinder);
      this.expression(choice.controllers);
      this.expression(choice.observers);
      if (choice.authorizers !== undefined) this.expression(choice.authorizers);
      tables.type(choice.returnType);
      this.expression(choice.update);
    });
  }

  private interface(message: Lf2<'DefInterface'>): void {
    const { tables } = this.lf;
    tables.dottedName(message.name);
    each(message.methods, 'InterfaceMethod', ({ name, type }) => {
      tables.type(type);
      tables.listedName(name);
    });
    this.choices(message.choices);
    tables.type(message.view);
    new LfInterface(message, tables).readAll();
  }
}

/** The expressions in a form or a part of it, in the order of the real decoder. */
function* expressionsIn(part: unknown): Generator<LfExpression> {
  if (part instanceof LfExpression) yield part;
  else if (typeof part === 'object' && part !== null)
    for (const inner of Object.values(part)) yield* expressionsIn(inner);
}

function each<Name extends Parameters<typeof lf2.decode>[0]>(
  parts: Parts,
  name: Name,
  read: (message: ReturnType<typeof lf2.decode<Name>>) => void,
): void {
  for (const part of parts) read(lf2.decode(name, part));
}
