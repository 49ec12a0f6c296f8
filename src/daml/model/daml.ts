/** The types of templates, choices and values under one public name, `Daml`: what `canticle codegen` writes refers to it. */
import type * as Daml from './typed-template.js';

export type { Daml };
