import { cut } from '../connectors/integrations.connector.rules.ts'
import type { Texts } from '../../../platform/texts/texts.ts'

/** What happened, as it is read when the message leaves. */
export type ChatNews = {
  kind: string
  count: number
  chapter: string | null
  /** Of members, where the connection shows names: some of them, at most five. */
  names: string[]
  gift: { campaign: string | null; amount: number | null; currency: string; donor: string | null } | null
  event: { id: string; title: string; capacity: number | null } | null
}

/** The one message that this is; `home` is the address of the product. */
export function chatText(i18n: Texts, news: ChatNews, home: string): string {
  const { count, gift, event } = news
  if (news.kind === 'chat.full' && event) {
    const full =
      event.capacity === null
        ? i18n._('{event} is full.', { event: plain(event.title) })
        : i18n._('{event} is full: {places, plural, one {# place} other {# places}} taken.', {
            event: plain(event.title),
            places: event.capacity,
          })
    return `${full} ${home}/event/${event.id}`
  }
  if (news.kind === 'chat.gift') return giftText(i18n, count, gift)
  return memberText(i18n, news)
}

function memberText(i18n: Texts, { count, chapter, names }: ChatNews): string {
  const what =
    chapter === null
      ? i18n._('{count, plural, one {# new member} other {# new members}}', { count })
      : i18n._('{count, plural, one {# new member in {chapter}} other {# new members in {chapter}}}', { count, chapter: plain(chapter) })
  if (names.length === 0) return what
  const named = names.map(plain).join(', ')
  const others = count - names.length
  return others > 0
    ? i18n._('{what}: {names} and {others, plural, one {# other} other {# others}}', { what, names: named, others })
    : i18n._('{what}: {names}', { what, names: named })
}

function giftText(i18n: Texts, count: number, gift: ChatNews['gift']): string {
  if (count > 1 || !gift) return i18n._('{count, plural, one {# new gift} other {# new gifts}}', { count })
  const campaign = gift.campaign === null ? null : plain(gift.campaign)
  const amount = gift.amount === null ? null : i18n.money(gift.amount, gift.currency)
  const what = campaign === null ? i18n._('New gift') : i18n._('New gift for {campaign}', { campaign })
  if (amount === null) return what
  return gift.donor === null
    ? i18n._('{what}: {amount}', { what, amount })
    : i18n._('{what}: {amount} from {name}', { what, amount, name: plain(gift.donor) })
}

const longest = 150
/** What the markup of Slack has as an address or a call to everybody, and that of Mattermost as a link or a mention. */
const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '[': '［',
  ']': '］',
  '`': 'ˋ',
  '@': '@\u2060',
  '\n': ' ',
  '\r': ' ',
  // Addresses without any mark become links as well.
  '://': ':\u2060//',
  'www.': 'www\u2060.',
}

/** Texts of people as what they are: nothing in them calls a channel together or leads anywhere. */
export const plain = (text: string): string =>
  cut(text, longest).replace(/[&<>[\]`@\n\r]|:\/\/|www\./gi, (mark) => marks[mark.toLowerCase()] ?? '')
