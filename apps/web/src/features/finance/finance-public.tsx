import { lazy } from 'react'

/** The invoices of one person, for their page and their profile: `<PersonInvoices personId={…} />` within a Suspense. */
export const PersonInvoices = lazy(async () => ({ default: (await import('./person-invoices.tsx')).PersonInvoices }))
