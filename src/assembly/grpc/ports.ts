/** The gRPC ports of a Canticle. The gRPC server is loaded when they are opened, so that other instances start faster. */
import type { Socket } from 'node:net';
import type { GrpcWorld } from '../../grpc/context.js';
import type { GrpcPort } from '../../grpc/open.js';
import type { TlsOptions } from '../../services/tls.js';

export interface GrpcOptions {
  /** Port of the first participant's Ledger API; 0, the default, for any free one. */
  readonly ledgerApiPort?: number;
  /** Port of each participant's Ledger API, by its name; any free one by default. */
  readonly ledgerApiPorts?: Readonly<Record<string, number>>;
  /**
   * Port of the first participant's admin API, 0 for any free one; further participants get free ones. Without it, the admin API is not
   * served. The admin API needs no token.
   */
  readonly adminApiPort?: number;
  /** Port of each participant's admin API, by its name. */
  readonly adminApiPorts?: Readonly<Record<string, number>>;
}

type OwnWorld = Pick<GrpcWorld, 'auth' | 'apiVersion' | 'enabledAgain'>;

export class GrpcPorts {
  private readonly open = new Map<string, GrpcPort>();
  private readonly admin = new Map<string, GrpcPort>();
  private host = '';

  /** @param ownAt returns the tokens that a participant accepts, and its release, by its name */
  constructor(
    private readonly world: Omit<GrpcWorld, 'participant' | keyof OwnWorld>,
    private readonly ownAt: (participant: string) => OwnWorld,
  ) {}

  /** Rejects with the system's error if it cannot listen. @param shown the host for clients */
  async listen(
    host: string,
    shown: string,
    options: GrpcOptions,
    tls: TlsOptions | undefined,
  ): Promise<void> {
    const { openAdminPort, openLedgerPort } = await import('../../grpc/open.js');
    const { ledgerApiPort = 0, ledgerApiPorts = {}, adminApiPort, adminApiPorts = {} } = options;
    this.host = shown;
    for (const [index, participant] of this.world.network.participants.entries()) {
      const { name } = participant;
      const port = ledgerApiPorts[name] ?? (index === 0 ? ledgerApiPort : 0);
      const world = { ...this.world, participant, ...this.ownAt(name) };
      this.open.set(name, await openLedgerPort(world, { host, port, tls }));
      const adminPort = adminApiPorts[name] ?? (index === 0 ? adminApiPort : adminApiPort && 0);
      if (adminPort === undefined) continue;
      this.admin.set(name, await openAdminPort(world, { host, port: adminPort, tls }));
    }
  }

  /** `host:port` of each participant's Ledger API, by its name. */
  get addresses(): Readonly<Record<string, string>> {
    return this.addressesOf(this.open);
  }

  /** `host:port` of their admin APIs; empty without the option. */
  get adminAddresses(): Readonly<Record<string, string>> {
    return this.addressesOf(this.admin);
  }

  private addressesOf(ports: ReadonlyMap<string, GrpcPort>): Readonly<Record<string, string>> {
    return Object.fromEntries([...ports].map(([name, { port }]) => [name, `${this.host}:${port}`]));
  }

  /** Accepts an HTTP/2 connection from another port, where these hosts belong to a participant's Ledger API. */
  accept(participant: string, socket: Socket, hosts: readonly string[]): void {
    const port = this.open.get(participant);
    if (port === undefined) socket.destroy();
    else port.accept(socket, hosts);
  }

  unref(): void {
    for (const port of [...this.open.values(), ...this.admin.values()]) port.unref();
  }

  async close(): Promise<void> {
    const ports = [...this.open.values(), ...this.admin.values()];
    this.open.clear();
    this.admin.clear();
    await Promise.all(ports.map((port) => port.close()));
  }
}
