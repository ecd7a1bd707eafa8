import { TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { IconBan, IconBell, IconFileCheck, IconMail } from '@tabler/icons-react'
import type { InvoiceBulkChange } from '@guildhall/contract/features/finance'
import { useApi } from '../../../platform/api/api.tsx'
import { useRights } from '../../../platform/session/session.ts'
import type { BulkAction, BulkOf } from '../../lists/bulk-public.tsx'
import { useBooksChanged } from '../finance-api.ts'

/** What can be done with the selected invoices. */
export function useInvoiceBulk(): BulkOf<InvoiceBulkChange> {
  const can = useRights()
  const { bulk } = useApi().actions.finance.invoices
  const issue: BulkAction<InvoiceBulkChange> = {
    key: 'issue',
    label: t`Issue`,
    icon: IconFileCheck,
    title: (invoices) => t`Issue ${invoices}`,
    verb: (count) => plural(count, { one: 'Issue # invoice', other: 'Issue # invoices' }),
    done: (invoices) => t`${invoices} issued`,
    change: { do: 'issue' },
    note: t`Each gets its number. Issued invoices can’t be changed.`,
    stays: {
      unchanged: (count) => plural(count, { one: '# is already issued.', other: '# are already issued.' }),
      refused: (count) =>
        plural(count, {
          one: '# can’t be issued: it has no lines, comes to less than zero, or isn’t yours to change.',
          other: '# can’t be issued: they have no lines, come to less than zero, or aren’t yours to change.',
        }),
    },
  }
  const send: BulkAction<InvoiceBulkChange> = {
    key: 'send',
    label: t`Send`,
    icon: IconMail,
    title: (invoices) => t`Send ${invoices}`,
    verb: (count) => plural(count, { one: 'Send # invoice', other: 'Send # invoices' }),
    done: (invoices) => t`${invoices} on the way`,
    change: { do: 'send' },
    note: t`Each goes out by e-mail, with its PDF and a link to pay. Invoices that were sent before are skipped.`,
    would: (count) =>
      plural(count, { 0: 'No invoice would be sent.', one: '# invoice would be sent.', other: '# invoices would be sent.' }),
    stays: { why: whyNotMailed, refused: notYours },
  }
  const remind: BulkAction<InvoiceBulkChange> = {
    key: 'remind',
    label: t`Remind`,
    icon: IconBell,
    title: (invoices) => t`Send reminders for ${invoices}`,
    verb: (count) => plural(count, { one: 'Send # reminder', other: 'Send # reminders' }),
    done: (invoices) => t`Reminders for ${invoices} on the way`,
    change: { do: 'remind' },
    note: t`Only overdue invoices are reminded, and none of them twice in a short time.`,
    would: (count) =>
      plural(count, { 0: 'No reminder would be sent.', one: '# reminder would be sent.', other: '# reminders would be sent.' }),
    stays: { why: whyNotMailed, refused: notYours },
  }
  const voiding: BulkAction<InvoiceBulkChange> = {
    key: 'void',
    label: t`Void`,
    icon: IconBan,
    title: (invoices) => t`Void ${invoices}`,
    verb: (count) => plural(count, { one: 'Void # invoice', other: 'Void # invoices' }),
    done: (invoices) => t`${invoices} voided`,
    note: t`Nothing is owed on them any more. This can’t be undone.`,
    choose: (tell) => (
      <TextInput
        label={t`Reason`}
        maxLength={500}
        onChange={(event) => {
          const reason = event.currentTarget.value.trim()
          tell(reason ? { do: 'void', reason } : undefined)
        }}
      />
    ),
    stays: {
      unchanged: (count) => plural(count, { one: '# is already void.', other: '# are already void.' }),
      refused: (count) =>
        plural(count, {
          one: '# can’t be voided: it has payments or credit notes, or isn’t yours to change.',
          other: '# can’t be voided: they have payments or credit notes, or aren’t yours to change.',
        }),
    },
  }
  return {
    actions: can('finance.manage') ? [issue, send, remind, voiding] : [],
    count: (invoices) => plural(invoices, { one: '# invoice', other: '# invoices' }),
    preview: bulk.preview.call,
    run: bulk.run.call,
    changed: useBooksChanged(),
  }
}

const notYours = (invoices: number) =>
  plural(invoices, { one: '# isn’t in books that you keep.', other: '# aren’t in books that you keep.' })

/** Why no mail goes out for these invoices, by the server's word for it. */
function whyNotMailed(reason: string, invoices: number): string {
  switch (reason) {
    case 'credit_note':
      return plural(invoices, { one: '# is a credit note.', other: '# are credit notes.' })
    case 'draft':
      return plural(invoices, { one: '# is a draft. Issue it first.', other: '# are drafts. Issue them first.' })
    case 'void':
      return plural(invoices, { one: '# is void.', other: '# are void.' })
    case 'settled':
      return plural(invoices, { one: '# is already paid or credited.', other: '# are already paid or credited.' })
    case 'sent':
      return plural(invoices, { one: '# was already sent.', other: '# were already sent.' })
    case 'not_due':
      return plural(invoices, { one: '# isn’t overdue.', other: '# aren’t overdue.' })
    case 'reminded':
      return plural(invoices, { one: '# was reminded recently.', other: '# were reminded recently.' })
    case 'no_address':
      return plural(invoices, { one: '# has no e-mail address to go to.', other: '# have no e-mail address to go to.' })
    case 'suppressed':
      return plural(invoices, {
        one: '# goes to an e-mail address that rejects our mail.',
        other: '# go to e-mail addresses that reject our mail.',
      })
    case 'suspended':
      return plural(invoices, { one: '# belongs to a suspended account.', other: '# belong to suspended accounts.' })
    case 'gone':
      return plural(invoices, {
        one: '# is owed by somebody who has died or is no longer on record.',
        other: '# are owed by people who have died or are no longer on record.',
      })
    default:
      return plural(invoices, { one: '# isn’t sent.', other: '# aren’t sent.' })
  }
}
