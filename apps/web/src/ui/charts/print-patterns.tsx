const size = 6

/** What tells the parts of a whole apart on black and white paper: the same patterns that ui/base.css gives to `data-part`. */
const patterns = [
  <rect key="full" width={size} height={size} fill="#000" />,
  <rect key="empty" width={size} height={size} fill="#fff" />,
  <path key="slanted" d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="#000" />,
  <path key="level" d="M0 1.5h6M0 4.5h6" stroke="#000" />,
  <path key="upright" d="M1.5 0v6M4.5 0v6" stroke="#000" />,
  <path key="checked" d="M0 0h3v3h-3zM3 3h3v3h-3z" fill="#000" />,
]

export const patternFill = (index: number) => `url(#print-pattern-${index + 1})`

/** Drawn while the page is printed; every chart may bring them, since they are all alike. */
export const PrintPatterns = () => (
  <svg width={0} height={0} aria-hidden focusable="false" style={{ position: 'absolute' }}>
    <defs>
      {patterns.map((pattern, index) => (
        <pattern key={pattern.key} id={`print-pattern-${index + 1}`} width={size} height={size} patternUnits="userSpaceOnUse">
          <rect width={size} height={size} fill="#fff" />
          {pattern}
        </pattern>
      ))}
    </defs>
  </svg>
)
