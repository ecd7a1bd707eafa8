import { lazy } from 'react'

/** The way back from the payment page, for the addresses that end there; within a Suspense. */
export const PaymentReturn = lazy(async () => ({ default: (await import('./payment-return.tsx')).PaymentReturn }))
/** How an invoice is paid; within a Suspense. */
export const PayDialog = lazy(async () => ({ default: (await import('./pay-dialog.tsx')).PayDialog }))
/** What the reader has to pay; nothing where that is nothing. */
export const OwnOpenInvoices = lazy(async () => ({ default: (await import('./own-open-invoices.tsx')).OwnOpenInvoices }))
/** The reader's saved cards. */
export const SavedCards = lazy(async () => ({ default: (await import('./saved-cards.tsx')).SavedCards }))
/** A payment given back, or struck out as recorded by mistake; within a Suspense. */
export const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog.tsx')).RefundDialog }))
export const ReverseDialog = lazy(async () => ({ default: (await import('./reverse-dialog.tsx')).ReverseDialog }))
/** After money moved in another feature: what shows it is asked anew. */
export { useMoneyMoved } from './payments-api.ts'
/** Why a refund failed, and what ways to pay, states and cards are called. */
export { cardName, methodWords, refundFailureText, stateTones, stateWords } from './payments-words.tsx'
