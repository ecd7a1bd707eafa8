import { actions } from '../../platform/procedures/procedures.ts'
import { chaptersBulk } from './bulk/chapters.bulk.data.ts'

const { bulk } = actions.chapters

export const chaptersActions = actions.chapters.router({
  bulk: {
    preview: bulk.preview.handler(({ input, context }) => chaptersBulk.preview(context, input)),
    run: bulk.run.handler(({ input, context }) => chaptersBulk.run(context, input)),
  },
})
