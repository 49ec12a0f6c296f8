/** Server reflection: lists the services, and the files that define their messages. */
import { descriptorsOf, extensionsOf, fileOfSymbol, filesOf } from './descriptors.js';

const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

const refused = (errorCode: number, errorMessage: string) => ({
  errorResponse: { errorCode, errorMessage },
});

interface ExtensionRequest {
  readonly containingType: string;
  readonly extensionNumber: number;
}

/** @param request a ServerReflectionRequest @returns the member of the response */
export function reflected(request: Readonly<Record<string, unknown>>, services: readonly string[]) {
  const { fileByFilename, fileContainingSymbol, listServices } = request as Readonly<
    Record<string, string | undefined>
  >;
  if (listServices !== undefined)
    return { listServicesResponse: { service: services.map((name) => ({ name })) } };
  if (fileByFilename !== undefined) return fileAnswer(fileByFilename, services, 'File');
  if (fileContainingSymbol !== undefined)
    return fileAnswer(fileOfSymbol(fileContainingSymbol), services, 'Symbol');
  const { fileContainingExtension, allExtensionNumbersOfType: type } = request as {
    readonly fileContainingExtension?: ExtensionRequest;
    readonly allExtensionNumbersOfType?: string;
  };
  if (fileContainingExtension !== undefined) {
    const { containingType, extensionNumber } = fileContainingExtension;
    return fileAnswer(extensionsOf(containingType).get(extensionNumber), services, 'Extension');
  }
  if (type !== undefined) {
    const extensions = [...extensionsOf(type)].filter(([, path]) => isKnownTo(services, path));
    if (extensions.length === 0) return refused(NOT_FOUND, 'Type not found.');
    const extensionNumber = extensions.map(([number]) => number);
    return { allExtensionNumbersResponse: { baseTypeName: type, extensionNumber } };
  }
  return refused(UNIMPLEMENTED, 'not implemented MESSAGEREQUEST_NOT_SET');
}

/** A port has one list of services. */
const FILES_OF = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Only files that the port's own services need are known. */
function isKnownTo(services: readonly string[], path: string): boolean {
  let known = FILES_OF.get(services);
  if (known === undefined) FILES_OF.set(services, (known = filesOf(services)));
  return known.has(path);
}

function fileAnswer(path: string | undefined, services: readonly string[], what: string) {
  return path === undefined || !isKnownTo(services, path)
    ? refused(NOT_FOUND, `${what} not found.`)
    : { fileDescriptorResponse: { fileDescriptorProto: descriptorsOf(path) } };
}
