/** Runs once what the reader just did shows on the screen: what follows from it may take longer than a click may. */
export const afterPaint = (run: () => void) => void requestAnimationFrame(() => setTimeout(run, 0))
