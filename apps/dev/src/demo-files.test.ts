import { buffer } from 'node:stream/consumers'
import { copyTemplate } from '@guildhall/db/testing'
import { loadDemo } from '@guildhall/db/demo'
import pg from 'pg'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { keepDemoFile } from './demo-files.ts'

/** The demo organisation with the content of its files, by the name that each is stored under. */
async function load(name: string) {
  const { adminUrl } = await copyTemplate(inject('testServer'), name)
  const stored = new Map<string, Buffer>()
  const write = async (key: string, content: NodeJS.ReadableStream) => {
    stored.set(key, await buffer(content))
    return { size: 0 }
  }
  await loadDemo({ adminUrl, size: 'small', issuer: 'http://localhost:3001', today: '2026-11-20', keepFile: keepDemoFile({ write }) })
  return { adminUrl, stored }
}

test('the demo has faces, a logo and papers, each with its content, and the same ones every time', async () => {
  const { adminUrl, stored } = await load('demofiles')
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const { rows } = await admin.query<{ kind: string; n: number; lost: number }>(
    `select record_type || ' ' || type as kind, count(*)::int as n,
       (count(*) filter (where record_type = 'person' and not exists (select from app.people p where p.picture_id = f.id)))::int as lost
     from app.files f group by 1 order by 1`,
  )
  const { rows: files } = await admin.query<{ key: string; bytes: string }>(
    `select 'files/' || org_id || '/' || id as key, bytes from app.files where $1::text is not null`,
    ['all'],
  )
  await admin.end()
  expect(rows.map(({ kind, lost }) => [kind, lost])).toEqual([
    ['chapter application/pdf', 0],
    ['chapter text/csv', 0],
    ['group application/pdf', 0],
    ['group text/csv', 0],
    ['organisation image/webp', 0],
    ['person image/webp', 0],
  ])
  for (const { key, bytes } of files) {
    const parts = [...stored].filter(([name]) => name.startsWith(`${key}/`))
    expect(parts.reduce((sum, [, content]) => sum + content.length, 0)).toBe(Number(bytes))
    for (const [name, content] of parts)
      if (/small|large/.test(name))
        expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: name.endsWith('small') ? 128 : 512 })
  }
  const pictures = [...stored].filter(([name]) => name.endsWith('/large')).map(([, content]) => content.toString('base64'))
  expect(new Set(pictures).size).toBe(pictures.length)

  const again = await load('demofilesagain')
  expect([...again.stored].sort()).toEqual([...stored].sort())
})
