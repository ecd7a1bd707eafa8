import type { eventWithTime } from 'rrweb'
import type { RecordingPart } from '@guildhall/contract/features/recordings'
import type { SessionTool } from './session-tools.ts'

type RecordedEvent = RecordingPart['events'][number]

const sendEveryMs = 10_000
const mostEvents = 1500
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
    let part = 0
    let ended = false
    let stopRrweb: (() => void) | undefined
    const flush = () => {
      if (events.length === 0 || part >= mostParts || ended) return
      const waiting = events
      events = []
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
          events.push(withoutNames(event))
          if (events.length >= mostEvents) flush()
        },
        maskAllInputs: true,
        maskTextSelector: '*',
        maskInputFn: masked,
        maskTextFn: masked,
        blockSelector: 'iframe, img, video, audio',
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
  const bare: unknown = JSON.parse(JSON.stringify(rest), (key, value: unknown) => {
    if (key === 'href' && typeof value === 'string') return URL.parse(value)?.pathname ?? ''
    if (key !== 'attributes' || typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([name]) => kept.has(name) || name.startsWith('rr_') || name === '_cssText'))
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
