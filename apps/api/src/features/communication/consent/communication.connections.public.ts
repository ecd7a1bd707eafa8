export { saidConsents, takeConsents, topicNamed } from './communication.connections.queries.ts'
