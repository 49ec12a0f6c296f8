/**
 * The public names for writing packages in TypeScript.
 * NOTE: the texts of definition errors, here and in this whole folder, are from Canticle.
 */
export { type ChoiceDefinition, type ChoiceMaker, type ChoiceSpec } from './choice.js';
export {
  InterfaceDefinition,
  defineInterface,
  methods,
  type DefinedInterface,
  type InterfaceReference,
  type InterfaceSelf,
  type InterfaceSpec,
} from './interface.js';
export { DefinitionError } from './names.js';
export { definePackage, type PackageSpec } from './package.js';
export {
  TemplateDefinition,
  defineTemplate,
  type DefinedTemplate,
  type ImplementationSpec,
  type KeySpec,
  type KeyedReference,
  type Self,
  type TemplateReference,
  type TemplateSpec,
} from './template.js';
export {
  Type,
  VariantType,
  d,
  type Constructors,
  type Fields,
  type JsonOf,
  type RecordOf,
  type ValueOf,
  type VariantOf,
} from './types.js';
export { Update, type FailureOptions } from './update.js';
export { RelTime, setOf, tuple2 } from './stable-packages.js';
