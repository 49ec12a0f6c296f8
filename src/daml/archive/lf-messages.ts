/** The messages of a package of Daml-LF version 2, decoded one at a time. */
import { LF2 } from './wire/lf-schema.js';
import { Messages, type Message } from './wire/wire.js';

export const lf2 = new Messages('daml_lf_2', LF2);
export type Lf2<Name extends keyof typeof LF2> = Message<(typeof LF2)[Name]>;
