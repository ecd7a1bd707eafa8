import { NativeSelect } from '@mantine/core'
import type { UnrecognizedColumn } from '@guildhall/contract/features/imports'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { toast } from '../../platform/activity/toast.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useImportActs } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import { targetWord, valueWord } from './imports-words.ts'
import classes from './imports.module.css'

// Among the values of a select, beside what a value can stand for.
const rejected = 'reject:'
const empty = 'empty:'

/** Values that are in no closed list, each with one choice for all its rows, so that nobody has to edit the file. */
export function ImportValues({ item }: { item: Import }) {
  const { configure } = useImportActs()
  const { number } = useFormats()
  if (item.unrecognized.length === 0) return null
  const choose = async (field: string, key: string, choice: string) => {
    const { [key]: _before, ...others } = item.options.values[field] ?? {}
    const chosen = choice === rejected ? others : { ...others, [key]: choice === empty ? '' : choice }
    try {
      await configure.mutateAsync({ id: item.id, version: item.version, options: { values: { ...item.options.values, [field]: chosen } } })
    } catch (failure) {
      toast.error(t`The choice could not be saved.`, failure)
    }
  }
  const open = item.unrecognized.flatMap(({ values }) => values.filter(({ target }) => target === null))
  const sampled = item.unrecognized.some(({ whole }) => !whole)
  return (
    <Section title={t`Unrecognized values`} count={open.length}>
      <p className={classes['minor']}>
        {sampled ? (
          <Trans>Choose once what each value maps to. These are from the first rows; the check finds the others.</Trans>
        ) : (
          <Trans>Choose once what each value maps to.</Trans>
        )}
      </p>
      <div className={classes['scroll']}>
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Value`}</th>
              <th scope="col">{t`Column`}</th>
              <th scope="col">{t`Rows`}</th>
              <th scope="col">{t`Maps to`}</th>
            </tr>
          </thead>
          <tbody>
            {item.unrecognized.flatMap((column, at) =>
              column.values.map(({ value, key, rows, target, suggestion }) => (
                <tr key={`${at} ${key}`}>
                  <th scope="row" className={classes['cell']}>
                    <bdi>{value}</bdi>
                  </th>
                  <td className={classes['cell']}>{column.header || targetWord(column.field)}</td>
                  <td>
                    <Plural value={rows} one="# row" other={`${number(rows)} rows`} />
                  </td>
                  <td>
                    <NativeSelect
                      aria-label={t`${value} maps to`}
                      value={target === null ? rejected : target || empty}
                      data={choices(item.kind, column, suggestion)}
                      onChange={(event) => void choose(column.field, key, event.currentTarget.value)}
                    />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

/** What the value looks like comes first. */
function choices(kind: Import['kind'], { field, targets }: UnrecognizedColumn, suggestion: string | null) {
  const word = (target: string) => valueWord(kind, field, { yes: 'true', no: 'false' }[target] ?? target)
  const words = targets.filter((target) => target !== suggestion).map((target) => ({ value: target, label: word(target) }))
  return [
    { value: rejected, label: t`Reject its rows` },
    ...(suggestion ? [{ value: suggestion, label: t`${word(suggestion)} (suggested)` }] : []),
    ...words,
    { value: empty, label: t`Leave empty` },
  ]
}
