import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'

export type Interaction = { what: string; times: number; median: number; slowest: number }
export type Felt = { interactions: Interaction[]; scroll: number; layoutShift: number; heapMegabytes: number }

const slowdown = 4

/** Uses the list of people as somebody does, and asks the browser how long each key and click took until something was drawn. */
export async function useList(browserPath: string, url: string, log: (line: string) => void): Promise<Felt> {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
  })
  try {
    const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    await page.addInitScript(observe)
    await page.goto('/members')
    await page.getByLabel('Email').fill('secretary@demo.example')
    await page.getByLabel('Password').fill('guildhall')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await rows(page).nth(5).waitFor()
    // What the page fetches after its first paint is there by then; the stream of changes never ends.
    await page.waitForTimeout(3_500)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })

    const interactions: Interaction[] = []
    for (const [what, act] of Object.entries(acts)) {
      log(what)
      await page.evaluate('window.felt.clear()')
      await act(page)
      // The browser tells about an interaction once what it led to is drawn.
      await page.waitForTimeout(600)
      const durations = (await page.evaluate<number[]>('window.felt.interactions()')).toSorted((a, b) => a - b)
      interactions.push({
        what,
        times: durations.length,
        median: durations[Math.floor(durations.length / 2)] ?? 0,
        slowest: durations.at(-1) ?? 0,
      })
    }
    log('scroll')
    // The figure that frames are held to is of a processor that nobody slows.
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.evaluate('window.felt.watchFrames()')
    await page.mouse.move(800, 600)
    for (let turn = 0; turn < 60; turn += 1) {
      await page.mouse.wheel(0, 400)
      await page.waitForTimeout(50)
    }
    const { scroll, shift, heap } = await page.evaluate<{ scroll: number; shift: number; heap: number }>('window.felt.sum()')
    return { interactions, scroll, layoutShift: shift, heapMegabytes: heap / 1_000_000 }
  } finally {
    await browser.close()
  }
}

const rows = (page: Page) => page.getByRole('table', { name: 'Members' }).getByRole('row')

const acts: Record<string, (page: Page) => Promise<void>> = {
  'typing a search': async (page) => {
    await page.getByRole('searchbox', { name: 'Search members' }).focus()
    await page.keyboard.type('anna berg', { delay: 120 })
    await page.waitForTimeout(1500)
    for (let key = 0; key < 9; key += 1) await page.keyboard.press('Backspace', { delay: 40 })
    await page.waitForTimeout(1500)
  },
  'ticking rows': async (page) => {
    for (let row = 1; row <= 10; row += 1) await rows(page).nth(row).getByRole('checkbox').click()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Clear selection' }).click()
  },
  'walking with the keys': async (page) => {
    for (let key = 0; key < 30; key += 1) await page.keyboard.press('j', { delay: 20 })
    for (let key = 0; key < 29; key += 1) await page.keyboard.press('k', { delay: 20 })
  },
  'opening people beside the list': async (page) => {
    // In the column of offices, beside the panel too: a click on a link would leave the list.
    for (let row = 2; row <= 6; row += 1) {
      await rows(page)
        .nth(row)
        .click({ position: { x: 600, y: 15 } })
      await page.waitForTimeout(400)
    }
    await page.keyboard.press('Escape')
  },
  filtering: async (page) => {
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('menuitem', { name: 'Status' }).click()
    await page.getByRole('checkbox', { name: 'Alumni' }).click()
    await page.waitForTimeout(1000)
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.waitForTimeout(1000)
  },
  sorting: async (page) => {
    const joined = page.getByRole('columnheader', { name: 'Joined' }).getByRole('button').first()
    for (let turn = 0; turn < 3; turn += 1) {
      await joined.click()
      await page.waitForTimeout(800)
    }
  },
  'the palette': async (page) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('london', { delay: 120 })
    await page.waitForTimeout(800)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
  },
  'a person’s page and back': async (page) => {
    await rows(page).nth(3).getByRole('link').first().click()
    await page.getByRole('navigation', { name: /^Sections of/ }).waitFor()
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.waitForTimeout(800)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click()
    await rows(page).nth(5).waitFor()
  },
}

/** Runs in the page: event timing by interaction, layout shifts nobody asked for, and the time between frames. */
const observe = `
window.felt = (() => {
  let durations = new Map(), shift = 0, frames = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.interactionId) durations.set(entry.interactionId, Math.max(durations.get(entry.interactionId) ?? 0, entry.duration))
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  return {
    clear: () => { durations = new Map() },
    interactions: () => [...durations.values()],
    watchFrames: () => {
      let last = performance.now()
      const next = (now) => { frames.push(now - last); last = now; requestAnimationFrame(next) }
      requestAnimationFrame(next)
    },
    sum: () => ({
      scroll: frames.sort((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? 0,
      shift,
      heap: performance.memory?.usedJSHeapSize ?? 0,
    }),
  }
})()`
