import { t } from '@lingui/core/macro'

/** The 31st of February, or half a date: the browser shows what was typed and says that its value is empty. */
export const isSenselessDate = (input: HTMLInputElement) => input.type === 'date' && input.validity.badInput

export const noSuchDate = () => t`Enter a whole date that exists, or empty the field.`
