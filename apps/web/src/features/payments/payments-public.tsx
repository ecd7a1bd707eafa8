import { lazy } from 'react'

/** The way back from the payment page, for the addresses that end there; within a Suspense. */
export const PaymentReturn = lazy(async () => ({ default: (await import('./payment-return.tsx')).PaymentReturn }))
/** How an invoice is paid; within a Suspense. */
export const PayDialog = lazy(async () => ({ default: (await import('./pay-dialog.tsx')).PayDialog }))
/** What the reader has to pay; nothing where that is nothing. */
export const OwnOpenInvoices = lazy(async () => ({ default: (await import('./own-open-invoices.tsx')).OwnOpenInvoices }))
/** The reader's saved cards. */
export const SavedCards = lazy(async () => ({ default: (await import('./saved-cards.tsx')).SavedCards }))
/** After money moved in another feature: what shows it is asked anew. */
export { useMoneyMoved } from './payments-api.ts'
/** Why a refund failed. */
export { refundFailureText } from './payments-words.tsx'
