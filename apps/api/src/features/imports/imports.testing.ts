import type { Import, ImportKind } from '@guildhall/contract/features/imports'
import { expect } from 'vitest'
import type { Client } from '../../testing.ts'

export { test } from '../../testing.ts'

/** Uploads a file as a browser's form would. */
export async function uploadFile(
  client: Client,
  kind: ImportKind,
  fileName: string,
  content: Buffer | string,
): Promise<{ status: number; text: string; import: Import }> {
  const boundary = 'guildhall-test-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)])
  const {
    status,
    text,
    body: answer,
  } = await client.post(`/actions/imports/${kind}`, body, { 'content-type': `multipart/form-data; boundary=${boundary}` })
  return { status, text, import: answer }
}

/** Starts a phase and waits for its end. */
export async function waitFor(client: Client, importId: string, phase: 'check' | 'run' | 'undo'): Promise<Import> {
  const started = await client.post(`/actions/imports/${importId}/${phase}`)
  expect(started.status, started.text).toBe(202)
  return ended(client, importId)
}

const busy = new Set(['checking', 'running', 'undoing'])

export async function ended(client: Client, importId: string): Promise<Import> {
  for (;;) {
    const { body } = await client.get(`/data/imports/${importId}`)
    const one: Import = body
    if (!busy.has(one.status)) return one
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Uploads, checks and runs a file whose questions are all answered. */
export async function bringIn(client: Client, kind: ImportKind, content: string | Buffer, fileName = 'list.csv') {
  const uploaded = await uploadFile(client, kind, fileName, content)
  expect(uploaded.status, uploaded.text).toBe(201)
  await waitFor(client, uploaded.import.id, 'check')
  return waitFor(client, uploaded.import.id, 'run')
}
