import { actions } from '../../platform/procedures/procedures.ts'
import { peopleBulk } from './bulk/people.bulk.data.ts'
import { printCard } from './cards/people.cards.actions.ts'

const { bulk } = actions.people

export const peopleActions = actions.people.router({
  printCard,
  bulk: {
    preview: bulk.preview.handler(({ input, context }) => peopleBulk.preview(context, input)),
    run: bulk.run.handler(({ input, context }) => peopleBulk.run(context, input)),
  },
})
