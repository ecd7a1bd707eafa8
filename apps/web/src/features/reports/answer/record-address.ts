import type { ReportRecord } from '@guildhall/contract/features/reports'

/** Where a record of a list behind a figure has its place; nothing for what its reader may not open. */
export function recordAddress({ kind, id, personId, chapter }: ReportRecord): string | undefined {
  const ofPerson = (tab: string) => (personId ? `/person/${personId}/${tab}` : undefined)
  const ofChapter = (tab: string) => (chapter ? `/chapter/${chapter.id}/finance/${tab}` : undefined)
  switch (kind) {
    case 'person':
      return `/person/${personId ?? id}`
    case 'chapter':
      return `/chapter/${id}`
    case 'group':
      return `/groups/${id}`
    case 'event':
      return `/event/${id}`
    case 'campaign':
      return `/fundraising/${id}`
    case 'membership':
      return ofPerson('memberships')
    case 'invoice':
      return ofChapter(`invoices?invoice=${id}`) ?? ofPerson('invoices')
    case 'payment':
      return ofChapter(`payments?payment=${id}`) ?? ofPerson('payments')
    case 'gift':
      return `/fundraising/all/donations?open=${id}`
    case 'pledge':
      return `/fundraising/all/pledges?open=${id}`
    case 'plan':
      return `/fundraising/all/recurring?open=${id}`
    case 'message':
      return `/communication/emails?message=${id}`
    case 'relationship':
      return ofPerson('relationships')
  }
}
