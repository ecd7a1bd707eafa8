import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Person } from '@guildhall/contract/features/people'
import { Section } from '../../ui/page/page.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { InvoicePanel } from './invoice-panel.tsx'

/** Invoices of a person as far as the reader may see them. */
export function PersonInvoices({ personId }: { personId: string }) {
  const [shown, setShown] = useState<string | null>(null)
  return (
    <Section title={t`Invoices`}>
      <InvoiceList question={{ personId }} onOpen={setShown} />
      {shown && <InvoicePanel invoiceId={shown} onClose={() => setShown(null)} />}
    </Section>
  )
}

export const PersonInvoicesTab = ({ person }: { person: Person }) => <PersonInvoices personId={person.id} />
