import { readFileSync } from 'node:fs'
import { plainAmount } from '@guildhall/contract/money'
import { compileIcu, parsePo } from 'pofile-ts'

/** Languages that public pages and mails can be in; English is the text in the code itself. */
const directions = { en: 'ltr', ar: 'rtl' } as const
export type Language = keyof typeof directions

const isLanguage = (tag: string): tag is Language => Object.hasOwn(directions, tag)

type Values = Record<string, string | number>
/** Called `i18n` wherever it is used: by that name `npm run messages --workspace @guildhall/web` finds the texts. */
export type Texts = {
  language: Language
  /** The language with the region whose way of writing dates, numbers and money is followed. */
  locale: string
  direction: 'ltr' | 'rtl'
  /** A text of the code in this language, with ICU arguments and plurals; in English where nobody has translated it. */
  _(text: string, values?: Values): string
  /** A calendar date such as 2026-11-24, or the day of an instant, written out. */
  date(day: string, timezone?: string): string
  /** An instant as clocks in a time zone show it, with the day of the week and the zone. */
  moment(instant: string, timezone: string): string
  /** An amount in minor units, with its currency. */
  money(amount: number, currency: string): string
}

const made = new Map<string, Texts>()

/** With a locale of that language, dates and amounts are as its region writes them: 23 November 2026 in Britain, November 23, 2026 in America. */
export function textsIn(language: Language, locale: string = language): Texts {
  const found = made.get(locale) ?? makeTexts(language, locale)
  made.set(locale, found)
  return found
}

function makeTexts(language: Language, locale: string): Texts {
  return {
    ...{ language, locale, direction: directions[language] },
    _: translatorOf(language),
    money: (amount, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }).format(plainAmount(amount, currency)),
    moment: (instant, timezone) =>
      new Intl.DateTimeFormat(locale, {
        ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
        ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone: timezone },
      }).format(new Date(instant)),
    date: (day, timezone = 'UTC') => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezone }).format(new Date(day)),
  }
}

const translators = new Map<Language, Texts['_']>()

/** One for all regions of a language. */
function translatorOf(language: Language): Texts['_'] {
  const known = translators.get(language)
  if (known) return known
  const translations = language === 'en' ? new Map<string, string>() : readCatalogue(language)
  const compiled = new Map<string, (values?: Values) => unknown>()
  const translate: Texts['_'] = (text, values) => {
    const translated = translations.get(text)
    const format = compiled.get(text) ?? compileIcu(translated ?? text, { locale: translated ? language : 'en' })
    compiled.set(text, format)
    return String(format(values))
  }
  translators.set(language, translate)
  return translate
}

function readCatalogue(language: Language): Map<string, string> {
  const { items } = parsePo(readFileSync(new URL(`../../locales/${language}.po`, import.meta.url), 'utf8'))
  return new Map(items.flatMap(({ msgid, msgstr: [translated] }) => (translated ? [[msgid, translated]] : [])))
}

/** What the reader accepts (Accept-Language), the most wanted first. */
const wantedIn = (accepted: string | undefined): string[] =>
  (accepted ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.split(';')
      return { tag: tag.trim(), weight: Number(quality?.trim().replace(/^q=/, '') ?? 1) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)

const languageIn = (tag: string) => tag.split('-')[0]?.toLowerCase() ?? ''

/** The first of the reader's languages (Accept-Language) that there is, else the fallback, such as the organisation's. */
export const languageFor = (accepted: string | undefined, fallback: string): Language =>
  [...wantedIn(accepted), fallback].map(languageIn).find(isLanguage) ?? 'en'

/** The same with dates and amounts as the reader's region writes them, else the organisation's. */
export function textsFor(accepted: string | undefined, fallback: string): Texts {
  const language = languageFor(accepted, fallback)
  const tags = [...wantedIn(accepted), fallback].filter((tag) => languageIn(tag) === language)
  return textsIn(
    language,
    tags.map(regionalLocale).find((locale) => locale !== undefined),
  )
}

/** What the runtime knows of a tag with a region. */
function regionalLocale(tag: string): string | undefined {
  try {
    const { language, region } = new Intl.Locale(tag)
    if (region === undefined) return undefined
    const { locale } = new Intl.DateTimeFormat(`${language}-${region}`).resolvedOptions()
    return locale.includes('-') ? locale : undefined
  } catch {
    return undefined
  }
}
