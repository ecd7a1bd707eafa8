// Changes in a reader's words, for any page that shows some.
export { RecordHistory } from './record-history.tsx'
export { ValueText } from './history-values.tsx'
export { viaText } from './history-words.ts'
