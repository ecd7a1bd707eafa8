import { expect } from 'vitest'
import { accessibilityProblems, expectAccessible } from './accessibility.ts'
import { journey } from './journey.ts'

const sound = '<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1></main></html>'

journey('a sound page passes', async ({ page }) => {
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: sound }))
  await page.goto('/page')
  await expectAccessible(page)
})

journey('a picture without a text is noticed', async ({ page }) => {
  await page.route('**/page', (route) =>
    route.fulfill({ contentType: 'text/html', body: sound.replace('</main>', '<img src="data:,"></main>') }),
  )
  await page.goto('/page')
  expect(await accessibilityProblems(page)).toContainEqual(expect.stringMatching(/^dark, phone: image-alt/))
})

journey('a refused script, an error on the console, an exception and an answer 5xx are noticed', async ({ page, trouble }) => {
  const headers = { 'content-security-policy': "default-src 'none'; script-src 'nonce-good'" }
  const body = '<script>1</script><script nonce="good">console.error("oops"); setTimeout(() => { throw new Error("broken") })</script>'
  await page.route('**/page', (route) => route.fulfill({ status: 503, headers, contentType: 'text/html', body }))
  await page.goto('/page')
  await expect
    .poll(trouble.unexpected)
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^content security policy: script-src/),
        expect.stringMatching(/^console: oops/),
        expect.stringMatching(/^exception: broken/),
        expect.stringMatching(/^answer 503: GET/),
      ]),
    )
  trouble.expect(/./)
  expect(trouble.unexpected()).toEqual([])
})

journey('a breach inside a frame, as a silent renewal uses one, is noticed', async ({ page, trouble }) => {
  const headers = { 'content-security-policy': "script-src 'none'" }
  await page.route('**/frame', (route) => route.fulfill({ headers, contentType: 'text/html', body: '<script>1</script>' }))
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: '<iframe src="/frame"></iframe>' }))
  await page.goto('/page')
  await expect.poll(trouble.unexpected).toContainEqual(expect.stringMatching(/^content security policy: script-src.*\/frame$/))
  trouble.expect(/./)
})
