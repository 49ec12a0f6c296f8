/** A field's name in camel case, as in protobuf's JSON format: `commandId` for `command_id`. */
export const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
