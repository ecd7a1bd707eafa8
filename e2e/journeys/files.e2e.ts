import { readFile } from 'node:fs/promises'
import { deflateSync, crc32 } from 'node:zlib'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

/** A picture of two halves, red above and blue below, as PNG. */
function picture(edge = 300): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(edge, 0)
  head.writeUInt32BE(edge * 2, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: edge * 2 }, (_, row) =>
    Buffer.concat([Buffer.from([0]), Buffer.alloc(edge * 3, row < edge ? Buffer.from([200, 30, 30]) : Buffer.from([30, 30, 200]))]),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

journey('somebody chooses their picture, cuts it with the keyboard, and sees it everywhere', async ({ page }) => {
  await signIn(page, 'secretary', '/profile')
  await page.getByRole('button', { name: /^(Add a|Change the) picture$/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Picture of/ })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture() })
  const crop = dialog.getByRole('group', { name: /^Part of the picture/ })
  await crop.waitFor()
  await expectAccessible(page)
  // Down to the blue half.
  await crop.focus()
  for (let times = 0; times < 40; times += 1) await page.keyboard.press('ArrowUp')
  await dialog.getByRole('slider', { name: 'Size' }).press('ArrowRight')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Picture of .* changed$/).waitFor()
  await dialog.waitFor({ state: 'hidden' })

  const avatar = page.getByRole('button', { name: 'Change the picture' }).locator('img')
  await avatar.waitFor()
  const colour = await avatar.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0, 1, 1)
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])]
  })
  expect(colour[2]).toBeGreaterThan(colour[0] ?? 255)
  await page
    .getByRole('button', { name: /^Account of/ })
    .locator('img')
    .waitFor()

  await page.getByRole('button', { name: 'Change the picture' }).click()
  await dialog.getByRole('button', { name: 'Remove the picture' }).click()
  await page.getByRole('button', { name: 'Add a picture' }).waitFor()
})

journey('a file is added to a group, renamed, downloaded, removed and brought back', async ({ page }) => {
  await signIn(page, 'secretary', '/groups')
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  const name = `Minutes ${Date.now().toString(36)}`
  await page.locator('input[type=file]').setInputFiles([
    { name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from('We met.') },
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') },
  ])
  await page.getByRole('list', { name: 'Being uploaded' }).getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Dismiss page.html' }).click()
  await page.getByRole('button', { name: `${name}.txt`, exact: true }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: `More actions for ${name}.txt` }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: /^Rename/ })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`${name} of May`)
  await dialog.getByRole('button', { name: 'Rename' }).click()
  const renamed = `${name} of May.txt`
  await page.getByRole('button', { name: renamed, exact: true }).waitFor()

  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: `Download ${renamed}` }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe(renamed)
  expect(await readFile(await download.path(), 'utf8')).toBe('We met.')

  await page.getByRole('button', { name: `More actions for ${renamed}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: renamed, exact: true }).waitFor()
  await page.getByRole('button', { name: `More actions for ${renamed}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByText(`${renamed} removed`).first().waitFor()
})
