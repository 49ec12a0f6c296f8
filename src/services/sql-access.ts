/** SQL over the ledger, for controls. */
export interface SqlAccess {
  /** The names of the databases. */
  readonly databases: readonly string[];
  /** One statement, after all updates of the ledger were written. @throws an error with PostgreSQL's `code` */
  query(
    sql: string,
    params: readonly unknown[],
    options: { readonly database?: string | undefined },
  ): Promise<{
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    readonly fields: readonly { readonly name: string }[];
    readonly rowCount: number;
  }>;
}
