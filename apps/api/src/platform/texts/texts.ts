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

const made = new Map<Language, Texts>()

export function textsIn(language: Language): Texts {
  const found = made.get(language) ?? makeTexts(language)
  made.set(language, found)
  return found
}

function makeTexts(language: Language): Texts {
  const translations = language === 'en' ? new Map<string, string>() : readCatalogue(language)
  const compiled = new Map<string, (values?: Values) => unknown>()
  return {
    language,
    direction: directions[language],
    _(text, values) {
      const translated = translations.get(text)
      const format = compiled.get(text) ?? compileIcu(translated ?? text, { locale: translated ? language : 'en' })
      compiled.set(text, format)
      return String(format(values))
    },
    money: (amount, currency) => new Intl.NumberFormat(language, { style: 'currency', currency }).format(plainAmount(amount, currency)),
    moment: (instant, timezone) =>
      new Intl.DateTimeFormat(language, {
        ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
        ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone: timezone },
      }).format(new Date(instant)),
    date: (day, timezone = 'UTC') => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: timezone }).format(new Date(day)),
  }
}

function readCatalogue(language: Language): Map<string, string> {
  const { items } = parsePo(readFileSync(new URL(`../../locales/${language}.po`, import.meta.url), 'utf8'))
  return new Map(items.flatMap(({ msgid, msgstr: [translated] }) => (translated ? [[msgid, translated]] : [])))
}

/** The first of the reader's languages (Accept-Language) that there is, else the fallback, such as the organisation's. */
export function languageFor(accepted: string | undefined, fallback: string): Language {
  const wanted = (accepted ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.split(';')
      return { language: tag.trim().split('-')[0]?.toLowerCase() ?? '', weight: Number(quality?.trim().replace(/^q=/, '') ?? 1) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  const tags = [...wanted.map(({ language }) => language), fallback.split('-')[0] ?? '']
  return tags.find(isLanguage) ?? 'en'
}
