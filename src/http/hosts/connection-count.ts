/** What a port has had of connections and requests, told as nginx's `stub_status` tells it. */
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

  /** NOTE: nobody waits here: whoever is connected and asks nothing is not told apart from who is being answered. */
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
