/** The open connections of a server. */
interface Listener<S> {
  on(event: 'connection', listener: (socket: S) => void): unknown;
}

/** @returns a set that follows the server; it includes connections that have sent nothing */
export function connectionsOf<S extends { once(event: 'close', listener: () => void): unknown }>(
  server: Listener<S>,
): ReadonlySet<S> {
  const open = new Set<S>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
