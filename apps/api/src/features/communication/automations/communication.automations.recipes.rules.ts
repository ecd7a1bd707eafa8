import type { AutomationRecipe, AutomationStep, NewAutomation } from '@guildhall/contract/features/communication.automations'

type Recipe = Omit<NewAutomation, 'chapterId'> & { recipe: AutomationRecipe }

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

/** Drafts to begin with; their mails are templates of their own, to be changed like any other. */
export const recipeOf = (recipe: AutomationRecipe): Recipe => ({ recipe, description: '', who: null, ...recipes[recipe] })

const recipes: Record<AutomationRecipe, Omit<Recipe, 'recipe' | 'description' | 'who'>> = {
  welcome: {
    name: 'Welcome series',
    trigger: { on: 'joined' },
    steps: [
      mail('hello'),
      wait('threedays', 3),
      mail('around'),
      wait('twoweeks', 14),
      { id: 'member', kind: 'condition', is: 'member', otherwise: 'exit' },
      task('call', 'Ask how the first weeks were', 7),
    ],
    exits: ['left', 'unsubscribed'],
    reentry: 'once',
  },
  renewal: {
    name: 'Renewal reminders',
    trigger: { on: 'renewal_due', days: 30 },
    steps: [mail('opens'), wait('threeweeks', 21), mail('soon'), wait('week', 9), task('call', 'Call before the membership lapses', 5)],
    exits: ['renewed', 'left'],
    reentry: 'term',
  },
  'win-back': {
    name: 'Win back lapsed members',
    trigger: { on: 'lapsed' },
    steps: [wait('week', 7), mail('missed'), wait('month', 30), mail('again')],
    exits: ['renewed', 'unsubscribed'],
    reentry: 'term',
  },
  'after-event': {
    name: 'Thanks after an event',
    trigger: { on: 'attended', eventId: null },
    steps: [wait('nextday', 1, '10:00'), mail('thanks')],
    exits: ['cancelled'],
    reentry: 'always',
  },
}
