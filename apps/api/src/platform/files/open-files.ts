import type { Config } from '../config.ts'
import { localFiles } from './files.ts'
import type { Files } from './files.ts'
import { s3Files } from './s3-files.ts'

/** The store that the settings name: a bucket, or else a folder. */
export function openFiles(
  config: Pick<Config, 'FILES_DIR' | 'S3_BUCKET' | 'S3_REGION' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>,
): Files {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return localFiles(config.FILES_DIR)
  return s3Files({
    bucket,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    accessKeyId,
    secretAccessKey,
    scratchDir: config.FILES_DIR,
  })
}
