import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'

export type BaseBackup = {
  /** Where in the write-ahead log the copy is consistent. */
  position: string
  systemIdentifier: string
  serverVersion: string
}

/** What the copy is written to: the server's files as one tar, and its own list of them with their digests. */
export type BackupTargets = { files: Writable; manifest: Writable }

// The parts of pg's connection that a submittable object may use; pg's own types leave them out.
type WireConnection = { query(text: string): void; stream: { pause(): void; resume(): void } }

const [newArchive, manifestBegins, content] = Buffer.from('nmd')

/**
 * Copies a whole PostgreSQL while it works, over the replication protocol (https://www.postgresql.org/docs/18/protocol-replication.html):
 * every file with the log that makes them one moment, so that a server started on them has all that was committed before the copy began.
 */
export async function takeBaseBackup(adminUrl: string, targets: BackupTargets): Promise<BaseBackup> {
  const url = new URL(adminUrl)
  url.searchParams.set('replication', 'true')
  const client = new pg.Client({ connectionString: url.toString(), application_name: 'guildhall-backup' })
  await client.connect()
  try {
    const { rows } = await client.query<{ systemid: string }>('IDENTIFY_SYSTEM')
    const version = await client.query<{ server_version: string }>('SHOW server_version')
    // Until the connection ends, keeps the log that the copy needs.
    await client.query('CREATE_REPLICATION_SLOT guildhall_backup TEMPORARY PHYSICAL RESERVE_WAL')
    const position = await copyOut(client, targets)
    for (const stream of [targets.files, targets.manifest]) {
      stream.end()
      await once(stream, 'finish')
    }
    return { position, systemIdentifier: rows[0]?.systemid ?? '', serverVersion: version.rows[0]?.server_version ?? '' }
  } finally {
    await client.end()
  }
}

function copyOut(client: pg.Client, targets: BackupTargets): Promise<string> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    let position = ''
    let archives = 0
    let isPaused = false
    let target: Writable = targets.files
    const fail = (error: Error) => {
      failure ??= error
      reject(failure)
    }
    for (const stream of [targets.files, targets.manifest]) stream.once('error', fail)

    const query = {
      submit(connection: WireConnection) {
        connection.query(
          `BASE_BACKUP (LABEL 'guildhall', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256', VERIFY_CHECKSUMS true)`,
        )
        return null
      },
      handleRowDescription() {},
      handleDataRow({ fields }: { fields: (string | null)[] }) {
        // First and last come positions in the log, between them the table spaces.
        if (/^[0-9A-F]+\/[0-9A-F]+$/.test(fields[0] ?? '')) position = fields[0] ?? ''
      },
      handleCopyData({ chunk }: { chunk: Buffer }, connection: WireConnection) {
        const [kind] = chunk
        if (kind === newArchive && ++archives > 1) fail(new Error('Table spaces of its own are not supported; use pg_basebackup.'))
        if (kind === manifestBegins) target = targets.manifest
        if (kind !== content || failure) return
        // The buffer is used again for what comes next.
        if (target.write(Buffer.from(chunk.subarray(1))) || isPaused) return
        // What has been received already still comes.
        isPaused = true
        connection.stream.pause()
        target.once('drain', () => {
          isPaused = false
          connection.stream.resume()
        })
      },
      handleCommandComplete() {},
      handleEmptyQuery() {},
      handlePortalSuspended() {},
      handleCopyInResponse() {},
      handleError: fail,
      handleReadyForQuery() {
        if (failure) reject(failure)
        else resolve(position)
      },
      callback() {},
    }
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a submittable: pg only calls the methods above, as it does for pg-cursor, but types none of it
    client.query(query as unknown as pg.Submittable)
  })
}
