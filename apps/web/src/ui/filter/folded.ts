/** A text as it is compared: without accents, capitals and blanks around it. */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLocaleLowerCase()
