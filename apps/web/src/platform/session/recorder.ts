import type { eventWithTime } from 'rrweb'
import type { RecordingPart } from '@guildhall/contract/features/recordings'
import type { SessionTool } from './session-tools.ts'

type RecordedEvent = RecordingPart['events'][number]

const sendEveryMs = 10_000
const mostEvents = 1500
/** The server takes no more than 256 kB at once; the first picture of a page is most of that. */
const mostBytes = 240_000
const mostParts = 200
/** What a picture of the page needs of its elements; everything else may name somebody. */
const kept = new Set([
  'class',
  'style',
  'type',
  'role',
  'rel',
  'dir',
  'lang',
  'hidden',
  'width',
  'height',
  'd',
  'viewBox',
  'fill',
  'stroke',
])

/**
 * Records what a signed-in person does, with rrweb: where they are, click and scroll, but no text and no input. It is told of
 * nobody before the sign-in, so the pages of the sign-in itself are never part of it, nor the frames that renew it.
 */
export function createRecorder(send: (part: RecordingPart) => Promise<unknown>): SessionTool {
  let recording: { id: string; who: string; stop: () => void } | undefined

  function begin(who: string) {
    const id = crypto.randomUUID()
    let events: RecordedEvent[] = []
    let bytes = 0
    let part = 0
    let ended = false
    let stopRrweb: (() => void) | undefined
    const flush = () => {
      if (events.length === 0 || part >= mostParts || ended) return
      const waiting = events
      events = []
      bytes = 0
      // A lost part is a gap in a recording, nothing more.
      send({ recordingId: id, part: part++, events: waiting }).catch(() => {})
    }
    const timer = setInterval(flush, sendEveryMs)
    void import('rrweb').then(({ record }) => {
      if (ended) return
      allowFormerStyles()
      stopRrweb = record({
        emit(event) {
          if (location.pathname.startsWith('/auth/')) return
          const bare = withoutNames(event)
          const size = new Blob([JSON.stringify(bare)]).size
          if (bytes + size > mostBytes) flush()
          events.push(bare)
          bytes += size + 1
          if (events.length >= mostEvents) flush()
        },
        maskAllInputs: true,
        maskTextSelector: '*',
        maskInputFn: masked,
        maskTextFn: masked,
        blockSelector: 'iframe, img, video, audio',
        // Style sheets are the same for everybody and lie on the server.
        inlineStylesheet: false,
        inlineImages: false,
        collectFonts: false,
        recordCanvas: false,
        slimDOMOptions: 'all',
        errorHandler: () => true,
      })
    })
    return {
      id,
      who,
      stop() {
        ended = true
        clearInterval(timer)
        stopRrweb?.()
      },
    }
  }

  return {
    identify({ id: who }) {
      if (recording?.who === who) return
      recording?.stop()
      recording = begin(who)
    },
    reset() {
      recording?.stop()
      recording = undefined
    },
  }
}

const masked = (text: string) => text.replace(/\S/g, '•')

/** Addresses lose what stands behind the path; labels, links and values of elements are left out. */
function withoutNames(event: eventWithTime): RecordedEvent {
  const { type, timestamp, ...rest } = event
  const bare: unknown = JSON.parse(JSON.stringify(rest), function (this: unknown, key, value: unknown) {
    if (key === 'href' && typeof value === 'string') return URL.parse(value)?.pathname ?? ''
    if (key !== 'attributes' || typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const isLink = isObject(this) && this['tagName'] === 'link'
    const isKept = (name: string) => kept.has(name) || name.startsWith('rr_') || name === '_cssText' || (isLink && name === 'href')
    return Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name)))
  })
  return { type, timestamp, ...(isObject(bare) ? bare : {}) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * To compare styles rrweb writes the former one into the attribute of an element of a new document, which the policy for styles
 * forbids there too. Written through the style object it is allowed, and the same.
 */
function allowFormerStyles() {
  const { implementation } = document
  const make = DOMImplementation.prototype.createHTMLDocument.bind(implementation)
  implementation.createHTMLDocument = (title) => {
    const made = make(title)
    const createElement = (name: string) => {
      const element = made.createElementNS('http://www.w3.org/1999/xhtml', name)
      return Object.assign(element, { setAttribute: (_attribute: 'style', value: string) => (element.style.cssText = value) })
    }
    return Object.assign(made, { createElement })
  }
}
