/**
 * An e-mail address as people write it. Characters that part addresses, headers or links (comma, question mark, percent, brackets, quotes)
 * are none of it, nor is what nobody sees; the domain is letters, digits and hyphens of any script. Each part ends where the next begins, so
 * that a text of any length is looked at once: what is too long is refused only after its pattern was tried.
 */
export const emailPattern =
  /^[^\s@,;:<>()[\]\\"?%\p{C}\u034f\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+$/u
