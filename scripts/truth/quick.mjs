// Cases that together take a few seconds and touch each area: `npm test` runs them.
export const QUICK = [
  'cmd-keys',
  'cmd-order',
  'cmd-values-basic',
  'adm-rights',
  'adm-users-update',
  'read-order',
  'read-shapes',
  'pkg-prefer',
  'auth-order-commands',
  'grpc-11-structures',
  'lang-lists',
  'lang-23-time',
  'multi-keys',
  'multi-twice',
];
