import type { Import, ImportKind } from '@guildhall/contract/features/imports'
import { listPage } from '../../platform/lists/list-page.ts'
import { readOne } from '../../platform/records/statement.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { currentFindings, stillMissing } from './mapping/imports.analysis.rules.ts'
import { changesOf, idsOf, isFieldValue } from './planning/imports.changes.rules.ts'
import { ownFields } from './planning/imports.fields.jobs.ts'
import { mappingsQuery, removeMapping } from './mapping/imports.mappings.queries.ts'
import { unrecognizedValues } from './mapping/imports.choices.rules.ts'
import { importQuery, importRowsList, importsList, namesQuery, readableQuery } from './imports.views.queries.ts'

const { imports } = data

/** One import as its page shows it. */
export async function readImport(context: CallerContext, importId: string): Promise<Import> {
  const row = await readOne(context, importQuery(importId))
  const { mapping, preview, sensitive, ...view } = row.item
  return {
    ...view,
    columns: preview.columns.map((column, index) => ({ ...column, target: mapping[index] ?? 'ignore' })),
    sample: preview.sample,
    ...(preview.sheets.length > 0 ? { sheets: preview.sheets } : {}),
    savedMapping: preview.savedMapping,
    findings: currentFindings({ kind: view.kind, format: view.format, mapping, preview }, sensitive),
    missing: stillMissing({ kind: view.kind, mapping, options: view.options }),
    unrecognized: unrecognizedValues({ kind: view.kind, mapping, preview, options: view.options }),
  }
}

export const importsData = imports.router({
  list: imports.list.handler(({ input, context }) => listPage(context, importsList(input), input)),
  get: imports.get.handler(({ input, context }) => readImport(context, input.importId)),
  rows: imports.rows.handler(async ({ input, context }) => {
    const found = await readOne(context, readableQuery(input.importId))
    const { items, ...page } = await listPage(context, importRowsList(input), input)
    const ids = [...new Set(items.flatMap(({ effects }) => idsOf(effects)))]
    const named = ids.length > 0 ? await context.read(namesQuery(ids)) : []
    const fields = items.some(({ effects }) => effects.some(({ table }) => isFieldValue(table)))
      ? await readableFields(context, found)
      : new Set<string>()
    const how = { fields, names: new Map(named.map(({ id, name }) => [id, name])), may: new Set(found.may), importTagId: found.importTagId }
    return { ...page, items: items.map(({ effects, ...row }) => ({ ...row, changes: changesOf(effects, how) })) }
  }),
  mappings: {
    list: imports.mappings.list.handler(async ({ input, context }) => ({
      items: (await context.read(mappingsQuery(input.kind))).map(({ item }) => item),
    })),
    remove: imports.mappings.remove.handler(async ({ input, context }) => {
      if (!(await context.inTx((db) => removeMapping(db, input.mappingId)))) throw problem('NOT_FOUND')
    }),
  },
})

/** Fields whose values the reader may see on the rows of an import: everybody's, or those of an import of one's own. */
async function readableFields(context: CallerContext, { kind, mine }: { kind: ImportKind; mine: boolean }): Promise<Set<string>> {
  const own = await context.inTx((db) => ownFields(db, kind))
  return new Set(own.filter(({ reach }) => reach === 'all' || (reach === 'some' && mine)).map(({ key }) => key))
}
