/** The page that shows the network: nothing of it is loaded until somebody opens it. */
import type { ServeInspector } from '../../http/contexts.js';

export const serveInspector: ServeInspector = async (path, request) => {
  const inspector = await import('../../inspector/serve.js');
  return inspector.serveInspector(path, request);
};
