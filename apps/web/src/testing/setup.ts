import '@testing-library/jest-dom/vitest'
import { i18n } from '@lingui/core'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { forgetSession } from '../app/session/session-effects.ts'

i18n.loadAndActivate({ locale: 'en', messages: {} })

afterEach(() => {
  if (typeof window === 'undefined') return
  cleanup()
  // The messages of one test would otherwise keep those of the next waiting.
  notifications.clean()
  notifications.cleanQueue()
  forgetSession()
  localStorage.clear()
  sessionStorage.clear()
})

// jsdom lays nothing out: a window of a desktop's size lets virtual lists draw their first screen.
if (typeof window !== 'undefined') {
  Object.defineProperties(HTMLElement.prototype, {
    clientHeight: { configurable: true, get: () => 800 },
    clientWidth: { configurable: true, get: () => 1280 },
  })
  Object.defineProperty(window, 'matchMedia', {
    value: (media: string) => ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }),
  })
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  // Text fields that grow listen to it; jsdom has none.
  Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
  window.scrollTo = () => {}
  Element.prototype.scrollIntoView = () => {}
  Element.prototype.scrollTo = () => {}
}

// The first test of a file fetches its page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
