/** Where a failure happened, in the words of Canton's `exercise_trace`: choices from the innermost outwards, then the command. */
import { prettyKey } from './pretty.js';
import type { Command, ExerciseNode } from './transaction.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from './types.js';
