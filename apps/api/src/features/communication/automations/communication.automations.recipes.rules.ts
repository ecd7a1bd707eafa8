import type { AutomationRecipe, AutomationStep, NewAutomation } from '@guildhall/contract/features/communication.automations'
import { mergeText } from '@guildhall/contract/merge-fields'
import type { MessageBody } from '@guildhall/contract/message-blocks'
import type { Texts } from '../../../platform/texts/texts.ts'

/** What a mail step of a recipe says; it becomes a template of its own, to be changed like any other. */
type RecipeMail = { name: string; subject: string; preheader: string; body: MessageBody }
type Recipe = Omit<NewAutomation, 'chapterId'> & {
  recipe: AutomationRecipe
  mails: Readonly<Record<string, RecipeMail>>
  /** What its mails are about: the first topic of this kind. */
  topic: 'essential' | 'marketing'
}

const wait = (id: string, days: number, at: string | null = '09:00'): AutomationStep => ({ id, kind: 'wait', days, hours: 0, at })
const mail = (id: string): AutomationStep => ({ id, kind: 'mail', templateId: null, topicId: null })
const task = (id: string, title: string, dueDays: number): AutomationStep => ({
  id,
  kind: 'task',
  title,
  note: '',
  dueDays,
  assigneeId: null,
})

type Written = Omit<RecipeMail, 'body'> & { paragraphs: readonly string[]; button?: { label: string; href: string } }
const mailOf = ({ paragraphs, button, ...mail }: Written): RecipeMail => ({
  ...mail,
  body: {
    blocks: [
      {
        type: 'text',
        text: {
          type: 'doc',
          content: paragraphs.map((words) => ({ type: 'paragraph' as const, content: [{ type: 'text' as const, text: words }] })),
        },
      },
      ...(button ? [{ type: 'button' as const, ...button }] : []),
    ],
  },
})

/** Drafts to begin with, in the language of their author. */
export const recipeOf = (recipe: AutomationRecipe, i18n: Texts): Recipe => ({
  recipe,
  description: '',
  who: null,
  ...recipes[recipe](i18n, fieldsIn(i18n)),
})

/** Merge fields of texts, with what stands for somebody of whom they are not known. */
const fieldsIn = (i18n: Texts) => ({
  salutation: mergeText('salutation'),
  name: mergeText('first_name', i18n._('friend')),
  organisation: mergeText('organisation'),
  chapter: mergeText('chapter', i18n._('your chapter')),
  end: mergeText('term_ends', i18n._('soon')),
})

type Make = (i18n: Texts, fields: ReturnType<typeof fieldsIn>) => Omit<Recipe, 'recipe' | 'description' | 'who'>
const recipes: Record<AutomationRecipe, Make> = {
  welcome: (i18n, { salutation, name, organisation, chapter }) => ({
    name: i18n._('Welcome series'),
    trigger: { on: 'joined' },
    topic: 'essential',
    steps: [
      mail('hello'),
      wait('threedays', 3),
      mail('around'),
      wait('twoweeks', 14),
      { id: 'member', kind: 'condition', is: 'member', otherwise: 'exit' },
      task('call', i18n._('Ask how the first weeks were'), 7),
    ],
    exits: ['left', 'unsubscribed'],
    reentry: 'once',
    mails: {
      hello: mailOf({
        name: i18n._('Welcome: on the first day'),
        subject: i18n._('Welcome, {name}', { name }),
        preheader: i18n._('Good to have you with us'),
        paragraphs: [
          `${salutation},`,
          i18n._('Welcome to {organisation}. Your membership is active, and everything it offers is open to you from today.', {
            organisation,
          }),
          i18n._(
            'In a few days we will show you around. Until then, your profile is a good place to begin: what you add there helps others find you.',
          ),
        ],
        button: { label: i18n._('Open your profile'), href: '/profile' },
      }),
      around: mailOf({
        name: i18n._('Welcome: after three days'),
        subject: i18n._('Three things to begin with'),
        preheader: i18n._('Events, groups, and somebody to ask'),
        paragraphs: [
          `${salutation},`,
          i18n._('Come to an event: it is the easiest way to meet people of {chapter}.', { chapter }),
          i18n._('Join a group that works on what interests you.'),
          i18n._('And if you have a question, reply to this mail. Somebody of the office reads it.'),
        ],
        button: { label: i18n._('See what is on'), href: '/events' },
      }),
    },
  }),
  renewal: (i18n, { salutation, organisation, end }) => ({
    name: i18n._('Renewal reminders'),
    trigger: { on: 'renewal_due', days: 30 },
    topic: 'essential',
    steps: [
      mail('opens'),
      wait('threeweeks', 21),
      mail('soon'),
      wait('week', 9),
      task('call', i18n._('Call before the membership lapses'), 5),
    ],
    exits: ['renewed', 'left'],
    reentry: 'term',
    mails: {
      opens: mailOf({
        name: i18n._('Renewal: 30 days before'),
        subject: i18n._('Your membership can be renewed'),
        preheader: i18n._('It takes two minutes'),
        paragraphs: [
          `${salutation},`,
          i18n._('Your membership of {organisation} ends on {end}. You can renew it now, and nothing is interrupted.', {
            organisation,
            end,
          }),
        ],
        button: { label: i18n._('Renew the membership'), href: '/profile?section=membership' },
      }),
      soon: mailOf({
        name: i18n._('Renewal: nine days before'),
        subject: i18n._('Your membership ends soon'),
        preheader: i18n._('A reminder, in case it slipped by'),
        paragraphs: [
          `${salutation},`,
          i18n._('A short reminder: your membership of {organisation} ends on {end}, and it has not been renewed yet.', {
            organisation,
            end,
          }),
          i18n._('If something keeps you from renewing, reply to this mail. We will find a way.'),
        ],
        button: { label: i18n._('Renew the membership'), href: '/profile?section=membership' },
      }),
    },
  }),
  'win-back': (i18n, { salutation, organisation }) => ({
    name: i18n._('Win back lapsed members'),
    trigger: { on: 'lapsed' },
    topic: 'marketing',
    steps: [wait('week', 7), mail('missed'), wait('month', 30), mail('again')],
    exits: ['renewed', 'unsubscribed'],
    reentry: 'term',
    mails: {
      missed: mailOf({
        name: i18n._('Win back: after a week'),
        subject: i18n._('We miss you'),
        preheader: i18n._('Your place is still there'),
        paragraphs: [
          `${salutation},`,
          i18n._('Your membership of {organisation} has ended. If that was not what you wanted, you can take it up again as it was.', {
            organisation,
          }),
          i18n._('If it was, we would like to know why. One line in reply is enough.'),
        ],
        button: { label: i18n._('Renew the membership'), href: '/profile?section=membership' },
      }),
      again: mailOf({
        name: i18n._('Win back: after a month'),
        subject: i18n._('What happened this month'),
        preheader: i18n._('Events and groups you can join at once'),
        paragraphs: [
          `${salutation},`,
          i18n._('{organisation} has gone on: there are new events and new groups. With a membership they are open to you again.', {
            organisation,
          }),
          i18n._('This is the last reminder. We wish you well either way.'),
        ],
        button: { label: i18n._('See what is on'), href: '/events' },
      }),
    },
  }),
  'after-event': (i18n, { salutation, name, organisation }) => ({
    name: i18n._('Thanks after an event'),
    trigger: { on: 'attended', eventId: null },
    topic: 'marketing',
    steps: [wait('nextday', 1, '10:00'), mail('thanks')],
    exits: ['cancelled'],
    reentry: 'always',
    mails: {
      thanks: mailOf({
        name: i18n._('Thanks after an event'),
        subject: i18n._('Thank you for coming, {name}', { name }),
        preheader: i18n._('What did you think of it?'),
        paragraphs: [
          `${salutation},`,
          i18n._('Thank you for coming to our event. We hope that you met people you would like to see again.'),
          i18n._('Tell us what was good and what we should do differently next time: a reply to this mail reaches {organisation}.', {
            organisation,
          }),
        ],
        button: { label: i18n._('See what is on'), href: '/events' },
      }),
    },
  }),
}
