/** The page that shows the network. Its code is loaded on the first request. */
import type { ServeInspector } from '../../http/contexts.js';

export const serveInspector: ServeInspector = async (path, request) => {
  const inspector = await import('../../inspector/serve.js');
  return inspector.serveInspector(path, request);
};
