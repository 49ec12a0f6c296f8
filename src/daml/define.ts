/** The public names for writing packages in TypeScript. */
export { type ChoiceDefinition, type ChoiceMaker, type ChoiceSpec } from './define-choice.js';
export {
  InterfaceDefinition,
  defineInterface,
  methods,
  type InterfaceReference,
  type InterfaceSelf,
  type InterfaceSpec,
} from './define-interface.js';
export { DefinitionError } from './define-names.js';
export { definePackage, type PackageSpec } from './define-package.js';
export {
  TemplateDefinition,
  defineTemplate,
  type ImplementationSpec,
  type KeySpec,
  type KeyedReference,
  type Self,
  type TemplateReference,
  type TemplateSpec,
} from './define-template.js';
export {
  Type,
  VariantType,
  d,
  type Constructors,
  type Fields,
  type RecordOf,
  type ValueOf,
  type VariantOf,
} from './define-types.js';
export { Update, type FailureOptions } from './define-update.js';
export { RelTime, setOf, tuple2 } from './stable-packages.js';
