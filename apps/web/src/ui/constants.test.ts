import { expect, test } from 'vitest'
import { uiConstants } from './constants.ts'
import { theme } from './theme.ts'

test('the figures of the specification, and the theme that follows them', () => {
  expect(uiConstants).toEqual({
    noticeMs: 5000,
    noticePosition: 'bottom-center',
    dialogMs: 300,
    breakpoints: { sm: 600, md: 1024, lg: 1440, xl: 1920 },
  })
  expect(theme.breakpoints).toMatchObject({ sm: '37.5em', md: '64em', lg: '90em', xl: '120em' })
  expect(theme.components?.['Modal']?.defaultProps).toMatchObject({ transitionProps: { duration: 300 } })
})
