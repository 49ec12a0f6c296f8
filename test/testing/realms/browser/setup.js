/** The Canticles that the tests in a browser ask: one of them lets pages. */
import { startCanticle } from 'canticle';

export default async function setup({ provide }) {
  const [open, closed] = await Promise.all([
    startCanticle({ seed: 7, allowOrigins: ['*'] }),
    startCanticle({ seed: 7 }),
  ]);
  provide('open', open.urls.ledgerApi);
  provide('closed', closed.urls.ledgerApi);
  return () => Promise.all([open.close(), closed.close()]);
}
