// Runs before the first paint so that a dark-theme visitor never sees a white flash.
try {
  var chosen = localStorage.getItem('mantine-color-scheme-value')
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch (refused) {
  // Storage can be forbidden; the light theme of the page then stands.
}
