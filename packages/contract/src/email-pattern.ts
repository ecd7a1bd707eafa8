/**
 * An e-mail address as people write it. Each part ends where the next begins, so that a text of any length is looked at once: what is too long
 * is refused only after its pattern was tried.
 */
export const emailPattern = /^[^\s@\p{Cc}]+@[^\s@.\p{Cc}]+(?:\.[^\s@.\p{Cc}]+)+$/u
