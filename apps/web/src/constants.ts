// Every figure that the specification names (section 9), in one place.

/** Of sign-in. */
export const authConstants = {
  silentRequestTimeoutSeconds: 10,
  popupClosedCheckMs: 500,
  popupWindow: { width: 500, height: 500, left: 100, top: 100, location: false, toolbar: false },
  expiringNoticeSeconds: 60,
  sessionCheckSeconds: 2,
  retryMs: 5000,
  staleStateSeconds: 900,
  clockSkewSeconds: 300,
  requestTimeoutSeconds: 10,
  revokeTimeoutMs: 3000,
  responseType: 'code',
} as const

/**
 * Of the interface. A window that changes its size is followed by style sheets and by the browser's own observers, which tell once in a
 * frame, that is every 16 ms at most: nothing of ours listens to it.
 */
export const uiConstants = {
  noticeMs: 5000,
  noticePosition: 'bottom-center',
  dialogMs: 300,
  /** Pixels from which a screen counts as small, medium, large and extra large; style sheets spell them out. */
  breakpoints: { sm: 600, md: 1024, lg: 1440, xl: 1920 },
} as const
