/** The figures of the interface that the specification names; those of sign-in are in platform/auth/constants.ts. */
export const uiConstants = {
  noticeMs: 5000,
  noticePosition: 'bottom-center',
  dialogMs: 300,
  /** Pixels from which a screen counts as small, medium, large and extra large; style sheets spell them out. */
  breakpoints: { sm: 600, md: 1024, lg: 1440, xl: 1920 },
} as const
