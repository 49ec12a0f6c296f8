/** The error of a call that needs code which the page has not loaded. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';

  /** @param source of the code */
  constructor(source: string) {
    super(
      `This call needs code that the page has not loaded (${source}). Load it before the call: pass the name of its part to the option parts of createCanticle, such as parts: ['all'].`,
    );
  }
}
