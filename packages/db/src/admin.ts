import pg from 'pg'

export type AdminQuery = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>

/** One connection of the administrator for operator commands, closed when `run` is over. The services never use it. */
export async function openAdmin<T>(adminUrl: string, run: (query: AdminQuery) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await run(
      async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => (await client.query<Row>(text, values)).rows,
    )
  } finally {
    await client.end()
  }
}
