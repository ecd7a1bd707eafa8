import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkedKey, isMissing, scratchIn } from './files.ts'
import type { Files } from './files.ts'

export type S3Settings = {
  bucket: string
  region: string
  /** For others than Amazon; the bucket then stands in the path. */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
  /** Folder of this machine for work that needs a path. */
  scratchDir: string
}

/** A bucket of any store that speaks S3. The library is loaded when it is first needed. */
export function s3Files({ bucket, region, endpoint, accessKeyId, secretAccessKey, scratchDir }: S3Settings): Files {
  const load = async () => {
    const sdk = await import('@aws-sdk/client-s3')
    return {
      sdk,
      client: new sdk.S3Client({
        region,
        ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
        credentials: { accessKeyId, secretAccessKey },
        // Stores other than Amazon's do not know the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        maxAttempts: 3,
      }),
    }
  }
  let opened: ReturnType<typeof load> | undefined
  const open = () => (opened ??= load())
  const scratch = scratchIn(scratchDir)
  const at = (key: string) => ({ Bucket: bucket, Key: checkedKey(key) })

  async function* chunksOf(key: string): AsyncGenerator<Uint8Array> {
    const { sdk, client } = await open()
    const { Body } = await client.send(new sdk.GetObjectCommand(at(key)))
    if (!(Body instanceof Readable)) throw new Error('the store answered without a body')
    const chunks: AsyncIterable<Uint8Array> = Body
    yield* chunks
  }

  const size: Files['size'] = async (key) => {
    const { sdk, client } = await open()
    try {
      const { ContentLength } = await client.send(new sdk.HeadObjectCommand(at(key)))
      return ContentLength ?? 0
    } catch (error) {
      if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')) return null
      throw error
    }
  }

  const write: Files['write'] = async (key, content) => {
    const { client } = await open()
    const { Upload } = await import('@aws-sdk/lib-storage')
    let written = 0
    const counted = Readable.from(
      (async function* () {
        const chunks: AsyncIterable<Uint8Array> = content
        for await (const chunk of chunks) {
          written += chunk.length
          yield chunk
        }
      })(),
      { objectMode: false },
    )
    // Parts of 8 MB: a stream of unknown length of up to 80 GB.
    const upload = new Upload({ client, params: { ...at(key), Body: counted }, partSize: 8 * 1_024 * 1_024, queueSize: 2 })
    try {
      await upload.done()
    } catch (error) {
      content.destroy()
      throw error
    }
    return { size: written }
  }

  const read: Files['read'] = (key) => {
    checkedKey(key)
    return Readable.from(chunksOf(key), { objectMode: false })
  }

  return {
    write,
    read,
    size,
    async remove(key) {
      const { sdk, client } = await open()
      await client.send(new sdk.DeleteObjectCommand(at(key)))
      const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: checkedKey(key) }))
      for (const { Key, UploadId } of Uploads)
        if (Key === key) await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
    },
    async *all() {
      const { sdk, client } = await open()
      let next: string | undefined
      do {
        const page = await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, ...(next ? { ContinuationToken: next } : {}) }))
        for (const { Key, Size = 0, LastModified = new Date() } of page.Contents ?? [])
          if (Key) yield { key: Key, size: Size, changedAt: LastModified }
        next = page.NextContinuationToken
      } while (next)
    },
    lend: (key, run) =>
      scratch(async (folder) => {
        const path = join(folder, 'lent')
        await pipeline(read(key), createWriteStream(path, { mode: 0o600 }))
        return run(path)
      }),
    make: (key, run) =>
      scratch(async (folder) => {
        const path = join(folder, 'made')
        const answer = await run(path)
        const made = await stat(path).catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
        if (made) await write(key, createReadStream(path))
        return answer
      }),
    scratch,
  }
}
