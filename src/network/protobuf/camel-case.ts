/** A field's name in camel case, as protobuf's JSON form has it: `commandId` for `command_id`. */
export const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
