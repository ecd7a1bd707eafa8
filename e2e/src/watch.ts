import type { BrowserContext } from 'playwright-core'

export type Watch = {
  /** What went wrong and was not expected, oldest first. */
  unexpected: () => string[]
  /** Names trouble that this journey provokes on purpose. */
  expect: (pattern: RegExp) => void
}

/** Listens to every page of a browser session for what a person would not notice, but should not happen. */
export async function watch(context: BrowserContext): Promise<Watch> {
  const seen: string[] = []
  const expected: RegExp[] = []
  await context.exposeFunction('reportViolation', (violation: string) => seen.push(`content security policy: ${violation}`))
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    window.reportViolation(event.violatedDirective + ' blocked ' + event.blockedURI + ' on ' + event.documentURI))`)
  context.on('console', (message) => {
    // The browser logs every answer 4xx this way, and those are often right.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) seen.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => seen.push(`exception: ${error.error().message}`))
  context.on('response', (response) => {
    if (response.status() >= 500) seen.push(`answer ${response.status()}: ${response.request().method()} ${response.url()}`)
  })
  return {
    unexpected: () => seen.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
    expect: (pattern) => expected.push(pattern),
  }
}
