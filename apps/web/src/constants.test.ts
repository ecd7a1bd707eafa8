import { expect, test } from 'vitest'
import { authConstants, uiConstants } from './constants.ts'
import { theme } from './ui/theme.ts'

test('S9-1 the figures of sign-in', () => {
  expect(authConstants).toMatchObject({
    silentRequestTimeoutSeconds: 10,
    popupClosedCheckMs: 500,
    expiringNoticeSeconds: 60,
    sessionCheckSeconds: 2,
    retryMs: 5000,
    staleStateSeconds: 900,
    clockSkewSeconds: 300,
    responseType: 'code',
  })
  expect(authConstants.popupWindow).toMatchObject({ width: 500, height: 500 })
})

test('S9-2 the figures of the interface, and the theme that follows them', () => {
  expect(uiConstants).toEqual({
    noticeMs: 5000,
    noticePosition: 'bottom-center',
    dialogMs: 300,
    breakpoints: { sm: 600, md: 1024, lg: 1440, xl: 1920 },
  })
  expect(theme.breakpoints).toMatchObject({ sm: '37.5em', md: '64em', lg: '90em', xl: '120em' })
  expect(theme.components?.['Modal']?.defaultProps).toMatchObject({ transitionProps: { duration: 300 } })
})
