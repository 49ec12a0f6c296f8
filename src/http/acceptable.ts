/** The media types that a client accepts: a participant checks them before anything else (tapir's 406). */
import type { Operation } from '../spec/operations.js';

/** `type/subtype` with its parameters, either of the two a star. */
const RANGE = /^\s*([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)\s*(?:;.*)?$/;

/** Whether the client accepts the answer's media type. An invalid header is ignored. */
export function isAcceptable({ api, responses }: Operation, accept: string | undefined): boolean {
  const given = responses[200]?.contentType;
  if (api !== 'ledger' || given === undefined || accept === undefined || accept === '*/*')
    return true;
  const ranges = accept.split(',').map((each) => RANGE.exec(each));
  const [type, subtype] = given.split('/');
  return ranges.some(
    (range) =>
      range === null ||
      ((range[1] === '*' || range[1]!.toLowerCase() === type) &&
        (range[2] === '*' || range[2]!.toLowerCase() === subtype)),
  );
}
