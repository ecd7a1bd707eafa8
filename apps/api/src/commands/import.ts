import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { DateOrder, ImportCounts, ImportEncoding, ImportKind, MatchKey, Separator } from '@guildhall/contract/features/imports'
import { foldHeader } from '../features/imports/mapping/imports.columns.rules.ts'
import { acceptHere, prepareImport, workHere } from '../features/imports/imports.command.jobs.ts'
import type { CommandInput } from '../features/imports/imports.command.jobs.ts'
import { fileKeys } from '../features/imports/reading/imports.file.jobs.ts'
import { importable } from '../import-plans.ts'
import { readCommandConfig } from '../platform/config.ts'
import { createLog } from '../platform/observability/log.ts'
import { createServices } from '../platform/services.ts'
import type { Command } from './command.ts'

const kinds = ImportKind.options.join('|')
const say = (line: string) => void process.stderr.write(`${line}\n`)

/** Exit codes: 0 all rows, 1 stopped, 2 wrong use, 3 done but some rows were rejected. */
export const importFile: Command = {
  usage: `${kinds} FILE --as EMAIL [--dry-run] [--yes] …`,
  summary: 'bring in a CSV or XLSX file; docs/users/import.md lists the options',
  async run(args) {
    const { input, values } = readArguments(args)
    if (!input) return 2
    const config = readCommandConfig(process.env)
    const services = createServices(config, createLog('warn'), config.WORKER_DATABASE_URL ?? config.DATABASE_URL)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    try {
      const { actor, one } = await prepareImport(services, importable, input)
      for (const [index, { header }] of one.preview.columns.entries())
        say(`  ${header || `column ${index + 1}`} → ${one.mapping[index] ?? 'ignore'}`)
      const checked = await workHere(services, importable, actor, one.id, 'check', stop.signal, progress('Checking'))
      report('Would be', checked)
      if (checked.one.status !== 'checked') return 1
      const ready = values['accept-changes'] ? await acceptHere(services, importable, actor, checked.one, stop.signal) : checked
      if (ready !== checked) report('With the changes of chapters accepted it would be', ready)
      const last =
        values['dry-run'] || !(await agreed(Boolean(values.yes)))
          ? ready
          : await workHere(services, importable, actor, one.id, 'run', stop.signal, progress('Importing'))
      if (last !== ready) report('Was', last)
      if (values.errors && (last.one.counts.run ?? last.one.counts.check)?.reject) {
        await pipeline(services.files.read(fileKeys(one.id).errors), createWriteStream(values.errors))
        say(`The rejected rows are in ${values.errors}; correct them and import that file.`)
      }
      if (stop.signal.aborted || last.one.status === 'failed') return 1
      return (last.one.counts.run ?? last.one.counts.check)?.reject ? 3 : 0
    } finally {
      await services.close()
    }
  },
}

type Values = { 'dry-run'?: boolean; yes?: boolean; 'accept-changes'?: boolean; errors?: string }

function readArguments(args: string[]): { input: CommandInput | null; values: Values } {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      as: text,
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      'accept-changes': { type: 'boolean' },
      errors: text,
      match: text,
      map: { type: 'string', multiple: true },
      doubles: text,
      'on-new': text,
      'on-match': text,
      tag: text,
      'no-tag': { type: 'boolean' },
      chapter: text,
      'starts-on': text,
      'phone-country': text,
      encoding: text,
      separator: text,
      'date-order': text,
      'header-row': text,
      sheet: text,
    },
  })
  const kind = ImportKind.safeParse(positionals[0])
  const [, path] = positionals
  if (!kind.success || !path || !values.as) {
    say(`Usage: npm run guildhall -- import ${importFile.usage}`)
    return { input: null, values: {} }
  }
  const map = Object.fromEntries(
    (values.map ?? []).map((pair) => pair.split(/=(?=[^=]*$)/)).map(([header = '', target = '']) => [foldHeader(header), target]),
  )
  return {
    values: {
      ...(values['dry-run'] ? { 'dry-run': true } : {}),
      ...(values.yes ? { yes: true } : {}),
      ...(values['accept-changes'] ? { 'accept-changes': true } : {}),
      ...(values.errors ? { errors: values.errors } : {}),
    },
    input: {
      kind: kind.data,
      path,
      email: values.as,
      ...(values.chapter ? { chapter: values.chapter } : {}),
      map,
      given: {
        ...(values.encoding ? { encoding: ImportEncoding.parse(values.encoding) } : {}),
        ...(values.separator ? { separator: Separator.parse(values.separator === 'tab' ? '\t' : values.separator) } : {}),
        ...(values['date-order'] ? { dateOrder: DateOrder.parse(values['date-order']) } : {}),
        ...(values['header-row'] ? { headerRow: Number(values['header-row']) } : {}),
        ...(values.sheet ? { sheet: values.sheet } : {}),
      },
      options: {
        ...(values.match ? { matchBy: values.match.split(',').map((key) => MatchKey.parse(key.trim())) } : {}),
        ...(values.doubles === 'merge' ? { doubles: 'merge' } : {}),
        ...(values['on-new'] === 'skip' ? { onNew: 'skip' } : {}),
        ...(values['on-match'] === 'skip' ? { onMatch: 'skip' } : {}),
        ...(values['no-tag'] ? { tag: null } : values.tag ? { tag: values.tag } : {}),
        ...(values['starts-on'] ? { defaultStartsOn: values['starts-on'] } : {}),
        ...(values['phone-country'] ? { phoneCountry: values['phone-country'] } : {}),
      },
    },
  }
}

type Worked = Awaited<ReturnType<typeof workHere>>

function report(word: string, { one, rejected }: Worked) {
  const counts = one.counts.run ?? one.counts.check
  const line = ImportCounts.keyof().options.map(
    (outcome) =>
      `${counts?.[outcome] ?? 0} ${{ create: 'new', update: 'changed', unchanged: 'unchanged', skip: 'skipped', reject: 'rejected' }[outcome]}`,
  )
  say(`${word}: ${line.join(', ')}.`)
  for (const { line: row, findings } of rejected)
    say(`  row ${row}: ${findings.map(({ column, message }) => `${column ? `${column}: ` : ''}${message}`).join(' ')}`)
  const more = (counts?.reject ?? 0) - rejected.length
  if (more > 0) say(`  … and ${more} more; --errors FILE writes all of them.`)
  if (one.error) say(one.error.detail)
}

function progress(word: string) {
  let shown = 0
  return (done: number, total: number | null) => {
    const now = Date.now()
    if (now - shown < 200 && done !== total) return
    shown = now
    const text = `${word}: ${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`} rows`
    process.stderr.write(process.stderr.isTTY ? `\r${text}${done === total ? '\n' : ''}` : done === total ? `${text}\n` : '')
  }
}

async function agreed(yes: boolean): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY) {
    say('Nothing was imported: say --yes to import without being asked.')
    return false
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Import these rows? [y/N] ')
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}
