/** Ends an interpretation that cannot continue now. The code cannot catch it. */
export class Interruption extends Error {
  override readonly name: string = 'Interruption';
}
