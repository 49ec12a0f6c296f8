/** What server reflection answers: the services there are, and the files that define what they take and give. */
import { descriptorsOf, fileOfSymbol } from './descriptors.js';

const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

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
  if (fileByFilename !== undefined) return fileAnswer(fileByFilename, 'File');
  if (fileContainingSymbol !== undefined)
    return fileAnswer(fileOfSymbol(fileContainingSymbol) ?? '', 'Symbol');
  if ('fileContainingExtension' in request) return refused(NOT_FOUND, 'Extension not found.');
  if ('allExtensionNumbersOfType' in request) return refused(NOT_FOUND, 'Type not found.');
  return refused(UNIMPLEMENTED, 'not implemented MESSAGEREQUEST_NOT_SET');
}

function fileAnswer(path: string, what: string) {
  const fileDescriptorProto = descriptorsOf(path);
  return fileDescriptorProto === undefined
    ? refused(NOT_FOUND, `${what} not found.`)
    : { fileDescriptorResponse: { fileDescriptorProto } };
}
