/** Server reflection: lists the services, and the files that define their messages. */
import type { Definitions } from '../../network/protobuf/definitions/definitions.js';
import { Descriptors, extensionsOf } from './descriptors.js';

const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

const refused = (errorCode: number, errorMessage: string) => ({
  errorResponse: { errorCode, errorMessage },
});

interface ExtensionRequest {
  readonly containingType: string;
  readonly extensionNumber: number;
}

type Request = Readonly<Record<string, unknown>>;

const DESCRIPTORS = new WeakMap<Definitions, Descriptors>();

/** The reflection of a port with these services. */
export function reflectionOf(services: readonly string[], definitions: Definitions) {
  let descriptors = DESCRIPTORS.get(definitions);
  if (descriptors === undefined)
    DESCRIPTORS.set(definitions, (descriptors = new Descriptors(definitions)));
  const reflection = { services, descriptors, files: descriptors.filesOf(services) };
  return (request: Request) => reflected(request, reflection);
}

interface Reflection {
  readonly services: readonly string[];
  readonly descriptors: Descriptors;
  /** Only files that the port's own services need are known. */
  readonly files: ReadonlySet<string>;
}

/** @param request a ServerReflectionRequest @returns the member of the response */
function reflected(request: Request, reflection: Reflection) {
  const { services, descriptors, files } = reflection;
  const { fileByFilename, fileContainingSymbol, listServices } = request as Readonly<
    Record<string, string | undefined>
  >;
  if (listServices !== undefined)
    return { listServicesResponse: { service: services.map((name) => ({ name })) } };
  if (fileByFilename !== undefined) return fileAnswer(fileByFilename, reflection, 'File');
  if (fileContainingSymbol !== undefined)
    return fileAnswer(descriptors.fileOfSymbol(fileContainingSymbol), reflection, 'Symbol');
  const { fileContainingExtension, allExtensionNumbersOfType: type } = request as {
    readonly fileContainingExtension?: ExtensionRequest;
    readonly allExtensionNumbersOfType?: string;
  };
  if (fileContainingExtension !== undefined) {
    const { containingType, extensionNumber } = fileContainingExtension;
    return fileAnswer(extensionsOf(containingType).get(extensionNumber), reflection, 'Extension');
  }
  if (type !== undefined) {
    const extensions = [...extensionsOf(type)].filter(([, path]) => files.has(path));
    if (extensions.length === 0) return refused(NOT_FOUND, 'Type not found.');
    const extensionNumber = extensions.map(([number]) => number);
    return { allExtensionNumbersResponse: { baseTypeName: type, extensionNumber } };
  }
  return refused(UNIMPLEMENTED, 'not implemented MESSAGEREQUEST_NOT_SET');
}

function fileAnswer(path: string | undefined, { files, descriptors }: Reflection, what: string) {
  return path === undefined || !files.has(path)
    ? refused(NOT_FOUND, `${what} not found.`)
    : { fileDescriptorResponse: { fileDescriptorProto: descriptors.of(path) } };
}
