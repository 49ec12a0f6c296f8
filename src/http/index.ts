/** The exports of the transport for other modules and their tests. Its own files import each other directly. */
export { Dispatcher } from './dispatch.js';
export { Issuer } from './issuer.js';
export type { RealmClient, RealmUser } from './keycloak/realm.js';
export { Sessions, type LoginRequest } from './keycloak/sessions.js';
export { PageGuard } from './pages/page-guard.js';
export { REQUEST_TIMEOUT_MS } from './request-timeout.js';
export { routerOf, type Router } from './routing/router.js';
