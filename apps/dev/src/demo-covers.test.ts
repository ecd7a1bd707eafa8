import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoCovers } from '@guildhall/db/demo'
import { localFiles } from '@guildhall/api/platform/files/files'
import { expect, test } from 'vitest'
import { keepCover } from './demo-covers.ts'

test('every cover of the demo is drawn and kept in the sizes that pages show, and stays small', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'covers-'))
  try {
    for (const { name } of demoCovers) {
      expect(await keepCover(folder)(name, 'org', name)).toBeLessThan(150_000)
      for (const part of ['small', 'large', 'content'])
        expect(await localFiles(folder).size(`files/org/${name}/${part}`)).toBeGreaterThan(500)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
