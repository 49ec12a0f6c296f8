/** The ports of gRPC of one Canticle. What serves them is loaded when they are opened: whoever does without it does not wait for it. */
import type { GrpcWorld } from '../grpc/context.js';
import type { GrpcPort } from '../grpc/open.js';

export interface GrpcOptions {
  /** Of the first participant; 0, the default, for any free one. */
  readonly ledgerApiPort?: number;
  /** Of each participant, by its name; any free one by default. */
  readonly ledgerApiPorts?: Readonly<Record<string, number>>;
}

export class GrpcPorts {
  private readonly open = new Map<string, GrpcPort>();
  private host = '';

  /** @param authAt whose tokens a participant takes, by its name */
  constructor(
    private readonly world: Omit<GrpcWorld, 'participant' | 'auth'>,
    private readonly authAt: (participant: string) => GrpcWorld['auth'],
  ) {}

  /** Rejects with the system's error where it cannot listen. @param shown the host as clients are to call it */
  async listen(host: string, shown: string, options: GrpcOptions): Promise<void> {
    const { openLedgerPort } = await import('../grpc/open.js');
    const { ledgerApiPort = 0, ledgerApiPorts = {} } = options;
    this.host = shown;
    for (const [index, participant] of this.world.network.participants.entries()) {
      const { name } = participant;
      const port = ledgerApiPorts[name] ?? (index === 0 ? ledgerApiPort : 0);
      const world = { ...this.world, participant, auth: this.authAt(name) };
      this.open.set(name, await openLedgerPort(world, { host, port }));
    }
  }

  /** `host:port` of each participant's Ledger API, by its name. */
  get addresses(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.open].map(([name, { port }]) => [name, `${this.host}:${port}`]),
    );
  }

  unref(): void {
    for (const port of this.open.values()) port.unref();
  }

  async close(): Promise<void> {
    const ports = [...this.open.values()];
    this.open.clear();
    await Promise.all(ports.map((port) => port.close()));
  }
}
