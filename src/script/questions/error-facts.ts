/** The details of the error of a submission, from which its value for scripts is made. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { decodeValueProto } from '../../daml/codec/protobuf/value.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { TypeId } from '../../daml/model/types.js';
import { Some, type DamlRecord } from '../../daml/model/values.js';
import type { RefusedSubmission } from '../ledger.js';
import { record } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import { anyContractId, anyKey, anyTemplate, fromList } from '../values.js';
import { errorIn, errorValue, type ErrorValue } from './error-value.js';

export const some = (value: unknown): unknown => new Some(value as never);
export const none = null;
export const texts = (list: readonly string[]): unknown => fromList(list, (each) => each);

/** Reads an error's resources by type, one after the other. */
export class Facts {
  /** The message without the prefix of Canticle's ledger. */
  readonly message: string;
  private readonly taken = new Map<string, number>();

  constructor(
    readonly run: RunningScript,
    readonly refused: RefusedSubmission,
    /** Whether keys are those of the standard library. */
    readonly isLegacy: boolean,
  ) {
    this.message = refused.error.details.cause.replace(/^Interpretation error: Error: /, '');
  }

  get error(): LedgerError {
    return this.refused.error;
  }

  /** The next resource of the type. */
  take(type: string): string {
    const found = this.takeOptional(type);
    if (found === undefined) throw new Missing();
    return found;
  }

  takeOptional(type: string): string | undefined {
    const place = this.taken.get(type) ?? 0;
    this.taken.set(type, place + 1);
    const all = (this.error.details.resources ?? []).filter(([kind]) => kind === type);
    return all[place]?.[1];
  }

  template(): TypeId {
    return this.take('TEMPLATE_ID');
  }

  parties(): unknown {
    const list = this.take('PARTIES');
    return texts(list === '' ? [] : list.split(','));
  }

  /** A key of the template, decoded from its bytes. */
  key(templateId: TypeId, base64 = this.take('CONTRACT_KEY')): unknown {
    const { packages } = this.run;
    const type = templateOf(packages, templateId)?.key?.type;
    if (type === undefined) throw new Missing();
    const value = decodeValueProto(packages, type, Buffer.from(base64, 'base64'));
    return anyKey(packages, { templateId, type, value }, this.isLegacy);
  }

  argument(templateId: TypeId): unknown {
    const { packages } = this.run;
    const type = templateOf(packages, templateId)?.payloadType;
    if (type === undefined) throw new Missing();
    const bytes = Buffer.from(this.take('CONTRACT_ARG'), 'base64');
    return anyTemplate(packages, templateId, decodeValueProto(packages, type, bytes) as DamlRecord);
  }

  /** The key and its maintainers, or None. */
  nullableKey(templateId: TypeId): unknown {
    const key = this.take('NULLABLE_CONTRACT_KEY');
    const maintainers = this.take('NULLABLE_PARTIES');
    if (key === 'NULL') return none;
    return some(record(this.key(templateId, key), texts(maintainers.split(','))));
  }

  contract(templateId: TypeId, id = this.take('CONTRACT_ID')): unknown {
    return anyContractId(templateId, id);
  }

  /** A part of an error; undefined if the library does not have it. */
  part(type: string, name: string, fields: ErrorValue['fields'] = {}): unknown {
    return errorIn(this.run.library, type, errorValue(name, fields));
  }
}

/** The error lacks a value that the constructor needs. */
export class Missing extends Error {}
