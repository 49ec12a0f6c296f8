/**
 * The corpus as a folder: a JSON file for each sequence that reached something new, and a folder with the sequences of
 * bugs. The names of files are hashes of their contents.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError, type StepCodec } from '../../fuzzing/model/step-json.js';
import type { Step } from '../../fuzzing/model/step.js';
import { readBoundedFile } from '../bounded-file.js';
import { FuzzSettingsError } from './settings.js';

/** The most files that a run reads of each folder, and the most bytes of one. */
export const MAX_CORPUS_FILES = 4_000;
export const MAX_CORPUS_FILE_BYTES = 1024 * 1024;
const FORMAT = 1;
const BUGS = 'bugs';

export interface StoredSequences {
  /** The sequences of bugs of earlier runs. */
  readonly bugs: readonly (readonly Step[])[];
  readonly corpus: readonly (readonly Step[])[];
  /** How many sequences do not fit the packages any more. */
  readonly unfit: number;
}

export class CorpusFolder {
  private unfit = 0;

  constructor(
    private readonly folder: string,
    private readonly codec: StepCodec,
  ) {}

  /**
   * In the order of the files' names. A folder that does not exist is empty.
   * @throws FuzzSettingsError for an invalid file, or for too many files
   */
  read(): StoredSequences {
    const bugs = this.sequencesIn(join(this.folder, BUGS));
    const corpus = this.sequencesIn(this.folder);
    return { bugs, corpus, unfit: this.unfit };
  }

  private sequencesIn(folder: string): readonly (readonly Step[])[] {
    if (!existsSync(folder)) return [];
    const names = namesIn(folder);
    if (names.length > MAX_CORPUS_FILES)
      throw new FuzzSettingsError(
        `${folder} has ${names.length} sequences, and the limit is ${MAX_CORPUS_FILES}.`,
      );
    return names.flatMap((name) => {
      const steps = this.sequenceOf(join(folder, name));
      return steps === undefined ? [] : [steps];
    });
  }

  /** Undefined for a sequence that does not fit the packages. */
  private sequenceOf(path: string): readonly Step[] | undefined {
    const steps = stepsIn(path);
    try {
      return steps.map((step) => this.codec.decode(step));
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      this.unfit += 1;
      return undefined;
    }
  }

  /** Adds sequences, up to the limit of files. Known ones have the names of their files. */
  write(corpus: Iterable<readonly Step[]>, bugs: Iterable<readonly Step[]>): void {
    this.writeTo(this.folder, corpus);
    this.writeTo(join(this.folder, BUGS), bugs);
  }

  private writeTo(folder: string, sequences: Iterable<readonly Step[]>): void {
    mkdirSync(folder, { recursive: true });
    let left = MAX_CORPUS_FILES - namesIn(folder).length;
    for (const sequence of sequences) {
      if (left <= 0) return;
      const steps = sequence.map((step) => this.codec.encode(step));
      const text = `${JSON.stringify({ format: FORMAT, steps })}\n`;
      const path = join(
        folder,
        `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`,
      );
      if (text.length > MAX_CORPUS_FILE_BYTES || existsSync(path)) continue;
      writeFileSync(path, text);
      left -= 1;
    }
  }
}

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();

function stepsIn(path: string): readonly unknown[] {
  const read = (): { readonly format?: unknown; readonly steps?: unknown } | null => {
    try {
      return JSON.parse(readBoundedFile(path, MAX_CORPUS_FILE_BYTES).toString('utf8')) as object;
    } catch (error) {
      throw new FuzzSettingsError(`failed to read '${path}': ${(error as Error).message}`);
    }
  };
  const content = read();
  if (content?.format !== FORMAT || !Array.isArray(content.steps))
    throw new FuzzSettingsError(`'${path}' is not a sequence of format ${FORMAT}.`);
  return content.steps as readonly unknown[];
}
