/** What server reflection answers: the services there are, and the files that define what they take and give. */
import { descriptorsOf, fileOfSymbol } from './descriptors.js';

const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;
const INVALID_ARGUMENT = 3;

const refused = (errorCode: number, errorMessage: string) => ({
  errorResponse: { errorCode, errorMessage },
});

/** @param request a ServerReflectionRequest @returns the member of the response */
export function reflected(request: Readonly<Record<string, unknown>>, services: readonly string[]) {
  const { fileByFilename, fileContainingSymbol, listServices } = request as Readonly<
    Record<string, string | undefined>
  >;
  if (listServices !== undefined)
    return { listServicesResponse: { service: services.map((name) => ({ name })) } };
  if (fileByFilename !== undefined) return fileAnswer(fileByFilename, fileByFilename);
  if (fileContainingSymbol !== undefined)
    return fileAnswer(fileOfSymbol(fileContainingSymbol) ?? '', fileContainingSymbol);
  const asksForExtensions =
    'fileContainingExtension' in request || 'allExtensionNumbersOfType' in request;
  return asksForExtensions
    ? refused(NOT_FOUND, 'There are no extensions.')
    : refused(request['host'] === undefined ? UNIMPLEMENTED : INVALID_ARGUMENT, 'not implemented');
}

function fileAnswer(path: string, asked: string) {
  const fileDescriptorProto = descriptorsOf(path);
  return fileDescriptorProto === undefined
    ? refused(NOT_FOUND, `${asked} not found`)
    : { fileDescriptorResponse: { fileDescriptorProto } };
}
