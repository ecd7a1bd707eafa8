export { optionsOf, registrationWords } from './events-words.tsx'
