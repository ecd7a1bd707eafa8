/** The frame of a card of home, for those that other areas draw themselves. */
export { HomeCard } from './home-card.tsx'
