import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'

type Locale = { name: string; dir: 'ltr' | 'rtl'; load: () => Promise<Messages> }

/** English is the text in the code itself, so it has no catalogue to load. The pseudo-locale shows texts that do not fit or are not translated; tests use it. */
export const locales = {
  en: { name: 'English', dir: 'ltr', load: async () => ({}) },
  ar: { name: 'العربية', dir: 'rtl', load: async () => (await import('../locales/ar.po')).messages },
  pseudo: { name: 'Ƥşēŭḓō', dir: 'ltr', load: async () => (await import('../locales/pseudo.po')).messages },
} satisfies Record<string, Locale>

export type LocaleKey = keyof typeof locales
/** What a reader may choose: languages whose catalogue is complete. */
export const offeredLocales: readonly LocaleKey[] = ['en']

/** Sets language and direction of the whole page; a catalogue that cannot be fetched leaves the text in English. */
export async function activateLocale(key: LocaleKey) {
  const { load, dir } = locales[key]
  const messages = await load().catch((): Messages => ({}))
  i18n.loadAndActivate({ locale: key, locales: regional(intlLocale(key)), messages })
  document.documentElement.lang = intlLocale(key)
  document.documentElement.dir = dir
}

/** Dates and numbers as the reader's region writes the language: 21 Nov 2026 in Britain, Nov 21, 2026 in America. */
const regional = (language: string) => [...navigator.languages.filter((tag) => tag.split('-')[0] === language), language]

/** What Intl understands; the pseudo-locale only exists for us. */
export const intlLocale = (key: string) => (key === 'pseudo' ? 'en' : key)

i18n.loadAndActivate({ locale: 'en', locales: regional('en'), messages: {} })
