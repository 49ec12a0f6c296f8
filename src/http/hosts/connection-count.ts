/** The numbers of connections and requests on a port, in the format of nginx's `stub_status`. */
export class ConnectionCount {
  requests = 0;
  private accepted = 0;
  private active = 0;

  /** @returns is called when the connection has ended */
  connected(): () => void {
    this.accepted += 1;
    this.active += 1;
    return () => (this.active -= 1);
  }

  /** NOTE: idle connections count as active, so Waiting is always 0. */
  get text(): string {
    const { accepted, active, requests } = this;
    return [
      `Active connections: ${active} `,
      'server accepts handled requests',
      ` ${accepted} ${accepted} ${requests} `,
      `Reading: 0 Writing: ${active} Waiting: 0 `,
      '',
    ].join('\n');
  }
}
