import { t } from '@lingui/core/macro'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Person } from '@guildhall/contract/features/people'
import { Section } from '../../ui/page/page.tsx'
import classes from './finance.module.css'
import { InvoiceList } from './invoice-list.tsx'
import { Receipts } from './invoice-papers.tsx'
import { InvoicePanel } from './invoice-panel.tsx'
import { Statement } from './statements/statement.tsx'

/** Invoices of a person as far as the reader may see them. */
export function PersonInvoices({ personId, open = null }: { personId: string; open?: string | null }) {
  const [shown, setShown] = useState(open)
  return (
    <>
      <div className={classes['beside']}>
        <Section title={t`Invoices`} className={classes['wide'] ?? ''}>
          <InvoiceList question={{ personId }} onOpen={setShown} />
        </Section>
        {shown && <InvoicePanel invoiceId={shown} onClose={() => setShown(null)} />}
      </div>
      <Receipts question={{ personId }} />
      <Statement owedById={personId} />
    </>
  )
}

export function PersonInvoicesTab({ person }: { person: Person }) {
  const { invoice } = useSearch({ strict: false })
  return <PersonInvoices key={invoice} personId={person.id} open={invoice ?? null} />
}
